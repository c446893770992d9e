#!/bin/bash
# Judge the first COUNT of the generated litmus tests: tools/litmus/all.sh [COUNT]. Environment: BUILD, EVERETT, JOBS.
set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD
export EVERETT=${EVERETT:-$BUILD/everett}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$BUILD/litmus-cycles" "$@" | "$BUILD/litmus-define" | split -l 250 --additional-suffix=.litmus - "$scratch/" || exit 2
find "$scratch" -name '*.litmus' | sort |
	xargs -P "${JOBS:-$(nproc)}" -n 1 "$TOP/tools/litmus/judge.sh" --brief >"$scratch/out" 2>&1
status=$?
grep -v ' good, ' "$scratch/out"
awk '/ good, / { good += $1; bad += $3 } END { print good + 0 " passed, " bad + 0 " failed"; exit !good || bad }' "$scratch/out" &&
	[ $status = 0 ]
