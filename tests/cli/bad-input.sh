#!/bin/bash
# Whatever is wrong with the input: a one-line message and status 2.
. "$(dirname "$0")/lib.bash"

printf 'int main(void) { return 0; }\n' >ok.c
printf 'int main(void) { return 0 }\n' >syntax.c
printf 'int f(void) { return 0; }\n' >nomain.c
printf 'int g(void);\nint main(void) { return g(); }\n' >nolink.c
mkdir dir

# Usage.
run 2 "$EVERETT"; one_line
run 2 "$EVERETT" frobnicate; one_line; has err "unknown command 'frobnicate'"
run 2 "$EVERETT" check; one_line
run 2 "$EVERETT" run; one_line
run 2 "$EVERETT" check --foo ok.c; one_line
has err "^everett: unknown option '--foo' (see 'everett check --help')$"
for words in "--unroll" "--unroll x" "--unroll 0" "--unroll -1" "--unroll 3x" "--unroll 99999999999999999999" "--timeout 0" \
	"--timeout -1" "--timeout nan" "--memory 0" "-j -1" "-j 4097" "--max-executions 0" "--seed -1" "--model foo" "--model sc,foo" \
	"--model=" "--color maybe" "--progress 1" "--races=1" "--json=" "--html=" "--dot=" "--sarif=" "--junit" "-y" "-m"; do
	# shellcheck disable=SC2086
	run 2 "$EVERETT" check ok.c $words
	one_line
done
run 2 "$EVERETT" check --replay "a b" ok.c; one_line
run 2 "$EVERETT" check --replay 0 --model all ok.c; one_line
run 2 "$EVERETT" robust; one_line; has err "no source file (see .everett robust --help.)"
run 2 "$EVERETT" robust -m pslo ok.c; one_line; has err "robustness against model .pslo. is not available"
run 2 "$EVERETT" robust -m foo ok.c; one_line; has err "unknown model .foo. (models: sc, tso, pso, ra, rc11, or all)"
run 2 "$EVERETT" robust --races ok.c; one_line; has err "option .--races. is not for .everett robust., but for .everett check., .everett run.,"
# What was meant, if one word is near enough.
run 2 "$EVERETT" chekc; one_line; has err "unknown command 'chekc'; did you mean 'check'? (see 'everett --help')"
run 2 "$EVERETT" ok.c; one_line; has err "'ok.c' is not a command; did you mean 'everett check ok.c'?"
run 2 "$EVERETT" help chekc; one_line; has err "unknown command 'chekc'; did you mean 'check'?"
run 2 "$EVERETT" check --modle tso ok.c; one_line; has err "unknown option '--modle'; did you mean '--model'? (see 'everett check --help')"
run 2 "$EVERETT" check --unrol=3 ok.c; one_line; has err "unknown option '--unrol=3'; did you mean '--unroll'?"
run 2 "$EVERETT" check --out x ok.c; one_line; has err "unknown option '--out'; did you mean '--output'?"
run 2 "$EVERETT" check -z ok.c; one_line; hasnot err "did you mean"
run 2 "$EVERETT" check -m tos ok.c; one_line; has err "unknown model 'tos'; did you mean 'tso'? (models: sc, tso, pso, ra, rc11, or all)"
run 2 "$EVERETT" predict -m pslos ok.c; one_line; has err "unknown model 'pslos'; did you mean 'pslo'? (models: tso, pso, pslo, or all)"
run 2 "$EVERETT" check -m sc,al ok.c; one_line; has err "did you mean 'all'?"
run 2 "$EVERETT" check -m TSO ok.c; one_line; has err "unknown model 'TSO'; did you mean 'tso'?"
run 2 "$EVERETT" check -mtos ok.c; one_line; has err "unknown model 'tos'; did you mean 'tso'?"
run 2 "$EVERETT" check -msc,tos ok.c; one_line; has err "unknown model 'tos'; did you mean 'tso'?"
run 2 "$EVERETT" check -m=tso ok.c; one_line; has err "unknown model '=tso'; did you mean 'tso'?"
run 0 "$EVERETT" check -msse2 -mpclmul -mavx -mfma -mbmi -m64 -mrtm ok.c
run 2 "$EVERETT" --verison; one_line; has err "unknown command '--verison'; did you mean '--version'?"
run 2 "$EVERETT" -m tso ok.c; one_line; has err "no command before '-m'; did you mean 'everett check -m'?"
run 2 "$EVERETT" check -e tracse ok.c; one_line; has err "unknown equivalence 'tracse'; did you mean 'traces'? (equivalences: rf, traces, rvf, revisit, none)"
run 2 "$EVERETT" run --keep x ok.c; one_line; has err "option '--keep' is not for 'everett run', but for 'everett check', 'everett robust', 'everett predict'"
# Help in each way that people ask for it.
run 0 "$EVERETT" check --help; cp out help.txt
run 0 "$EVERETT" help check; cmp out help.txt || fail "everett help check is not everett check --help"
run 0 "$EVERETT" help; cp out all.txt
run 0 "$EVERETT" --help; cmp out all.txt || fail "everett help is not everett --help"
run 0 "$EVERETT" help cc; has out 'drop-in compiler' '^Usage: everett cc'
# What only measures and tests Everett is in the longer list, which has all else, too.
run 0 "$EVERETT" check --help-all
for option in rvf-no repeat restless classes; do
	has out "^ *--$option "
	hasnot help.txt "^ *--$option "
done
[ -z "$(grep -vxFf out help.txt)" ] || fail "--help has what --help-all has not: $(grep -vxFf out help.txt)"
[ "$(wc -l <out)" = $(($(wc -l <help.txt) + 4)) ] || fail "--help-all has other options than the four"
# A model joined to -m; what is no list of models is the compiler's.
run 0 "$EVERETT" check -q -msc ok.c; has err '^everett: sc/'
run 0 "$EVERETT" check -q -msc,tso ok.c; has err '^everett: sc/' '^everett: tso/'
run 0 "$EVERETT" check -q -m64 ok.c; has err '^everett: sc/'
run 2 "$EVERETT" check -q -mnonsense ok.c; has err "argument.*'-mnonsense'"
# The compiler by its other name, next to the driver, before anything is installed.
for name in everett-cc everett-c++; do
	run 0 "${EVERETT%/*}/$name" -o checker ok.c
	run 0 "$EVERETT" run -q checker
done

# Sources.
run 2 "$EVERETT" check missing.c; one_line; has err "missing.c"
run 2 "$EVERETT" check dir; one_line; has err "directory"
run 2 "$EVERETT" check syntax.c; has err "syntax.c:1:26: error: expected" "^everett: .*syntax.c"
run 2 "$EVERETT" check nomain.c; one_line; has err "the program has no function 'main'"
run 2 "$EVERETT" check nolink.c; has err "undefined" "^everett: linking failed$"
run 2 "$EVERETT" check -DX ok.c -include missing.h; has err "missing.h"
run 2 env EVERETT_CLANG=/nowhere/clang "$EVERETT" check ok.c; one_line; has err "/nowhere/clang"
run 2 env TMPDIR=/nowhere "$EVERETT" check ok.c; one_line; has err "/nowhere"
if [ "$(id -u)" != 0 ]; then
	printf 'int main(void) { return 0; }\n' >secret.c
	chmod 0 secret.c
	run 2 "$EVERETT" check secret.c; one_line; has err "Permission denied"
fi

# Checkers.
run 2 "$EVERETT" run missing; one_line
run 2 "$EVERETT" run dir; one_line
run 2 "$EVERETT" run ok.c; one_line; has err "not an executable"
run 2 "$EVERETT" run /bin/true; one_line; has err "not a checker"
run 2 "$EVERETT" run one two; one_line
fake_checker mute </dev/null
run 2 "$EVERETT" run ./mute; one_line; has err "not a checker"
printf 'EVERETT_CHECKER' >garbage
chmod +x garbage
run 2 "$EVERETT" run ./garbage; one_line; has err "cannot run './garbage'"

# Reports.
for command in replay report; do
	run 2 "$EVERETT" $command; one_line
	run 2 "$EVERETT" $command missing.json; one_line; has err "missing.json"
	run 2 "$EVERETT" $command dir; one_line
	printf '{ "everett": ' >torn.json
	run 2 "$EVERETT" $command torn.json; one_line; has err "not valid JSON"
	printf '[ 1, 2 ]' >other.json
	run 2 "$EVERETT" $command other.json; one_line; has err "not an Everett report"
	printf '{ "name": "x" }' >other.json
	run 2 "$EVERETT" $command other.json; one_line; has err "not an Everett report"
	: >empty.json
	run 2 "$EVERETT" $command empty.json; one_line
	run 2 "$EVERETT" $command --foo x.json; one_line
	head -c 3000 /dev/urandom >random.json
	run 2 "$EVERETT" $command random.json; one_line
done
printf '{ "everett": "0.1.0", "command": "check", "files": ["ok.c"], "results": [] }' >none.json
run 2 "$EVERETT" replay none.json; one_line; has err "no finding"
run 0 "$EVERETT" report none.json
printf '{ "everett": "0.1.0", "results": [ 1, null, { "findings": [ 7, { "kind": 3, "events": [ "x", {} ] } ] } ] }' >odd.json
run 0 "$EVERETT" report odd.json
run 2 "$EVERETT" replay odd.json; one_line

# A full disk, and files that cannot be written.
fake_checker fine <<'EOF'
say hello sc none
finding
say first "first\\n"
say done 0 "" 4 0 0 0 24 0.5 3100
EOF
formats="--dot --sarif --junit"
for option in --json $formats --output; do
	run 2 "$EVERETT" run -q $option /dev/full ./fine
	has err "cannot write '/dev/full': No space left on device" "FINDING"
	run 2 "$EVERETT" run -q $option nowhere/file ./fine; one_line
	run 2 "$EVERETT" run -q $option dir ./fine; one_line
done
run 1 "$EVERETT" run -q --json fine.json ./fine
for option in $formats; do
	run 2 "$EVERETT" report $option /dev/full fine.json; has err "cannot write '/dev/full': No space left on device"
	run 2 "$EVERETT" report $option nowhere/file fine.json; one_line
	run 2 bash -c '"$0" run -q "$1" - ./fine >/dev/full' "$EVERETT" $option; has err "cannot write standard output" "FINDING"
	run 2 bash -c '"$0" report "$1" - fine.json >/dev/full' "$EVERETT" $option; has err "cannot write standard output"
done
# One that cannot be written does not keep the others from being.
run 2 "$EVERETT" run -q --dot /dev/full --sarif one.sarif --junit one.xml ./fine
[ -s one.sarif ] && [ -s one.xml ] || fail "$last: the other files are not there"
run 2 bash -c '"$0" run ./fine >/dev/full' "$EVERETT"; has err "cannot write standard output"
run 2 bash -c '"$0" run -q --json - ./fine >/dev/full' "$EVERETT"; has err "cannot write standard output"
run 2 bash -c '"$0" --help >/dev/full' "$EVERETT"; one_line
run 2 bash -c '"$0" check --help >/dev/full' "$EVERETT"; one_line
finish
