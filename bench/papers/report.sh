#!/usr/bin/env bash
# What figures.sh has measured, as papers.csv, papers.md and plots: bench/papers/report.sh OUT
set -u
export LC_ALL=C.UTF-8
out=$(realpath "$1")
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

machine() {
	local cpu memory system
	cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 * 1024 / 1e9 }' /proc/meminfo)
	system=$(. /etc/os-release && echo "$PRETTY_NAME")
	cat <<-END
	| | |
	|---|---|
	| processor | ${cpu:-$(uname -m)}, $(nproc) cores, of which a run uses one |
	| memory | $memory |
	| system | $system |
	| compiler | $(${CC:-gcc} --version | head -n 1) |
	| Everett | $("$everett" --version | head -n 1) |
	| date | $(date -u +%Y-%m-%d) |
	END
}

introduction() {
	cat <<'END'
# Results

The tables of the five papers that Everett implements, each row with the paper's numbers and ours. The papers are 000: Abdulla, Atig, Jonsson and Ngo,
Tracer; 001: Agarwal and others, RVF-SMC; 002: Burnim, Sen and Stergiou, RELAXER; 003: Abdulla and others, Nidhugg/rfsc; 004: Abdulla and others,
Nidhugg for TSO and PSO. [The programs](../bench/papers/README.md) were written anew from what is publicly known of them.

    make bench-papers                 these tables, without the runs that take minutes, into build/bench-papers
    make bench-papers PART=sigma      rows that contain a text
    make bench-papers BENCH=full      everything
    make results                      the last run becomes this page

END
	machine
	cat <<'END'

- *executions* of the paper are of the tool in the second column, *Everett* says with which program and options, under which model, and by which
  engine ours were counted. `A+B`: A complete and B blocked ones. `N*`: an error was found after N executions, `*`: it was found. `t/o`: time-out.
- *CPU s* is user and system time of the exploration, without that of the compiler. What takes less than 0.2 s is repeated, and the mean is shown.
- *µs each*: microseconds for an execution, blocked ones included.
- *speed-up*: the paper's time by ours, where we explore as many or more. The papers' machines are several years older, so that a factor of two says nothing, and
  of times below a second most may be start-up.
- `=`: the paper's number. `~`: another one, for the reason in the note. `!`: another one, or the run failed.
END
}

# What make bench-litmus has left, without its title.
litmus() {
	local page=$out/../bench-litmus/litmus.md
	[ -f "$page" ] || return
	printf '\n## Litmus tests\n\n`make bench-litmus`, in the form of table 1 of paper 000: '
	sed '1,2d; s/ *$//' "$page" | sed -E 's,^([0-9]+ tests;|the last rows|[0-9]+ wrong),- &,'
}

# The ten for which an execution takes longest: microseconds, row, program, model/engine, separated by tabs.
slowest() {
	awk -F'\t' '$11 >= 100 && $12 > 0 && $9 !~ /predict/ && $10 !~ /\*$/ && !seen[$8, $9]++ {
		printf "%.1f\t%s\t%s\t%s\n", $12 * 1e6 / $11, $3, $8, $9
	}' "$out/rows" | sort -rn | head -n 10
}

# Links to those there are.
plots() {
	local file
	[ -n "$(ls "$out"/results/*.svg 2>/dev/null)" ] || return
	printf '\n## Plots\n\nExecutions and CPU seconds by size; the papers'"'"' numbers dashed.\n\n'
	for file in "$out"/results/scatter*.svg "$out"/results/[0-9]*.svg; do
		[ -f "$file" ] || continue
		echo "![$(basename "$file" .svg | tr - ' ')](results/$(basename "$file"))"
	done
}

awk -v format=csv -f report.awk "$out/rows" >"$out/papers.csv"
./plot.sh "$out"
{
	introduction
	awk -v format=md -f report.awk figures "$out/rows"
	litmus
	printf '\n## The slowest\n\nThe ten rows of at least a hundred executions for which one takes longest.\n\n| slowest | Everett | | µs each |\n|---|---|---|--:|\n'
	slowest | awk -F'\t' '{ printf "| %s | `%s` | %s | %s |\n", $2, $3, $4, $1 }'
	plots
} >"$out/papers.md"
printf '\nthe slowest, in microseconds for an execution\n'
slowest | awk -F'\t' '{ printf "%8s  %-30s %-11s %s\n", $1, $2, $4, $3 }'
printf '\nwritten to %s: papers.md papers.csv%s\n' "$out" "$([ -z "$(ls "$out"/results/*.svg 2>/dev/null)" ] || echo ' results/*.svg')"
