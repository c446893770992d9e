#!/usr/bin/env bash
# Run all weakened memory orders, and write them into docs/results.md as its last section: tests/orders/publish.sh
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
page=docs/results.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# table SCRIPT: its table, if all of it is as expected.
table() {
	"$1" --markdown >"$work/table" || {
		grep FAIL "$work/table" >&2 || true
		echo "$1 failed: $page stays as it is" >&2
		exit 1
	}
	cat "$work/table"
}

{
	sed '/^## Weakened memory orders/,$d' "$page"
	cat <<-'END'
		## Weakened memory orders

		Algorithms and libraries under `-m rc11`, by `rf`, with data races as findings: as they are, and with one memory order at a time replaced by
		a weaker one. A fence that is weakened to relaxed has no effect. *Executions* of a finding are those up to the first one. *Why* is the
		argument for the verdict; "measured" means that the run is the only argument. What is ok in these small tests may fail in larger ones: two
		or three threads make a few operations each.

		    make check-orders                 all of it, compared with what is expected
		    make orders-table                 this section
		    everett check -m rc11 -DWEAKEN_take_fence=acq_rel tests/orders/chase_lev.c

		### Algorithms

		From [tests/orders](../tests/orders), which uses these names for the sites.

	END
	table tests/orders/run.sh
	cat <<-'END'

		### Concurrency Kit and liburcu

		Concurrency Kit 0.7.1 and liburcu 0.13.2, on the harnesses of [tests/real](../tests/real/README.md), in copies in which volatile accesses and builtins are relaxed atomics of
		C11, loads of pointers are consume, and each fence can be weakened. A site is a file, a line and a kind of fence. Fences that a harness
		does not reach are not listed.

	END
	table tests/real/weaken.sh
} >"$work/page"
cp "$work/page" "$page"
echo "$page is written"
