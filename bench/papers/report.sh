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

The tables of the five papers that Everett implements. Each row has the paper's numbers and ours. The papers are 000: Abdulla, Atig, Jonsson and Ngo,
Tracer; 001: Agarwal and others, RVF-SMC; 002: Burnim, Sen and Stergiou, RELAXER; 003: Abdulla and others, Nidhugg/rfsc; 004: Abdulla and others,
Nidhugg for TSO and PSO. [The programs](../bench/papers/README.md) were written anew from what is publicly known of them.

    make bench-papers                 these tables, without the runs that take minutes, into build/bench-papers
    make bench-papers PART=sigma      rows that contain a text
    make bench-papers BENCH=full      everything
    make results                      the last run becomes this page

END
	machine
	cat <<'END'

- *executions* in the paper are those of the tool in the second column. *Everett* names the program and options, the model and the engine
  for our count. `A+B`: A complete and B blocked executions. `N*`: an error was found after N executions; `*`: an error was found. `t/o`:
  time-out.
- *CPU s* is user and system time of the exploration, without compilation. Runs of less than 0.2 s are repeated, and the mean is shown.
- *µs each*: microseconds per execution, including blocked ones.
- *speed-up*: the paper's time divided by ours, if we explore as many executions or more. The papers' machines are several years older, so a
  factor of two is not significant, and times below a second may be mostly start-up.
- `=`: the paper's number. `~`: a different number, for the reason in the note. `!`: a different number without a reason, or the run failed.
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
	printf '\n## The slowest\n\nThe ten rows with the longest time per execution, among those with at least a hundred executions.\n\n| slowest | Everett | | µs each |\n|---|---|---|--:|\n'
	slowest | awk -F'\t' '{ printf "| %s | `%s` | %s | %s |\n", $2, $3, $4, $1 }'
	plots
} >"$out/papers.md"
printf '\nthe slowest, in microseconds for an execution\n'
slowest | awk -F'\t' '{ printf "%8s  %-30s %-11s %s\n", $1, $2, $4, $3 }'
printf '\nwritten to %s: papers.md papers.csv%s\n' "$out" "$([ -z "$(ls "$out"/results/*.svg 2>/dev/null)" ] || echo ' results/*.svg')"
