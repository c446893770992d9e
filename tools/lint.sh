#!/bin/bash
# What the compiler does not check: tools/lint.sh [--list | NAME...]; without a name, all of them.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
CC=${CC:-gcc}
status=0

complain() {
	echo "$*"
	status=1
}

# Includes go downward only. What each folder may include besides itself and lists of data (.def):
declare -A below=(
	[base]=''
	[event]='base'
	[model]='event base'
	[explore]='model event base'
	[runtime]='explore model event base report'
	[report]='base'
	[instrument]='base runtime/abi.h runtime/memory/cell.h event/site.h'
	[ranks]='base'
	[driver]='instrument report runtime explore model event base'
)

may_include() {
	local folder=$1 header=$2 allowed
	[[ $header == everett.h || $header == *.def || ${header%%/*} == "$folder" ]] && return
	for allowed in ${below[$folder]}; do
		[[ $header == "$allowed" || ${header%%/*} == "$allowed" ]] && return
	done
	return 1
}

layers() {
	local where text file folder header checked=0
	while IFS=: read -r file where text; do
		folder=${file#src/} folder=${folder%%/*}
		[ -n "${below[$folder]+set}" ] || {
			complain "$file: folder '$folder' has no layer"
			continue
		}
		checked=$((checked + 1))
		case $text in
		*\"*)
			header=${text#*\"} header=${header%%\"*}
			may_include "$folder" "$header" || complain "$file:$where: $folder must not include $header"
			[[ $header == */* || $header == everett.h ]] || complain "$file:$where: write $folder/$header"
			;;
		*'<llvm'*)
			[ "$folder" = instrument ] || complain "$file:$where: only instrument knows LLVM"
			;;
		*'<jansson'*)
			[[ $file == src/report/json_*.[ch] || $folder == driver ]] ||
				complain "$file:$where: JSON is the matter of report/json_*.c"
			;;
		esac
	done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' src --include='*.[chS]' --include='*.def')
	[ $checked -gt 0 ] || complain "no includes found"
}

# A header compiles alone.
headers() {
	local header checked=0 llvm
	llvm=$(sed -n 's/^LLVM_CFLAGS := //p' "$BUILD/config.mk")
	while IFS= read -r header; do
		checked=$((checked + 1))
		$CC -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Isrc -Iinclude $llvm \
			-fsyntax-only -x c "$header" ||
			complain "$header does not compile alone"
	done < <(find src include -name '*.h')
	[ $checked -gt 0 ] || complain "no headers found"
}

# The archive shares the checked program's namespace.
symbols() {
	local archive=$BUILD/libeverett.a names bad
	names=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }')
	[ -n "$names" ] || complain "no symbols in $archive"
	bad=$(grep -vE '^(evr_|everett_|__VERIFIER_|reach_error$|main$|__odr_asan|__asan_|___asan_|DW\.ref\.)' <<<"$names")
	[ -z "$bad" ] || complain "$archive defines names of the program's:" $bad
}

# State that outlives a call says whose it is (src/base/base.h): what belongs to one execution has one place, runtime/execution.h.
statics() {
	local found bad
	found=$(objdump -t "$BUILD/obj/libruntime.a" | awk '
		/file format/ { file = $1; sub(/:$/, "", file) }
		$3 == "O" || $2 == "O" { print file, $(NF - 2), $NF }')
	grep -q ' \.data\.lasting ' <<<"$found" || complain "no variables found in $BUILD/obj/libruntime.a"
	bad=$(awk '$2 ~ /^(\.data|\.data\.rel|\.data\.rel\.local|\.bss|\.tdata|\.tbss|\*COM\*)$/ &&
		$3 !~ /^(evr_execution|evr_current|evr_call_site)$/ { sub(/\.o$/, ".c", $1); print $1 ": " $3 }' <<<"$found")
	[ -z "$bad" ] || complain "neither part of runtime/execution.h nor EVR_LASTING, EVR_MEMORY, EVR_SCRATCH:" $'\n'"$bad"
}

# Nothing of the machine it was written on.
text() {
	local files
	files=$({ git ls-files -co --exclude-standard 2>/dev/null || find . -type f -not -path './build*'; } | grep -v '^LICENSE$')
	[ -n "$files" ] || complain "no files found"
	if tr '\n' '\0' <<<"$files" | xargs -0 grep -nIE '/(hom[e]|wor[k]|roo[t])/[a-z]|/tmp/w[t]-|localhos[t]' -- 2>/dev/null; then
		complain "text that belongs to one machine"
	fi
}

all=(layers headers symbols statics text)
if [ "${1:-}" = --list ]; then
	printf '%s\n' "${all[@]}"
	exit
fi
[ $# -gt 0 ] || set -- "${all[@]}"
for check; do
	case $check in
	layers | headers | symbols | statics | text) $check ;;
	*) complain "lint.sh: no such check: '$check'" ;;
	esac
done
exit $status
