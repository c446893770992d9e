#!/bin/bash
# What surrounds the driver goes wrong: full disks, closed files, signals that are ignored, files that must not be overwritten.
. "$(dirname "$0")/lib.bash"
printf '#include <assert.h>\nint main(int c, char **v)\n{\n\t(void)v;\n\tassert(c > 1);\n}\n' >bug.c
printf 'int main(void) { return 0; }\n' >ok.c
run 1 "$EVERETT" check --json old.json --keep bug bug.c
run 1 "$EVERETT" run ./bug

# ---- outputs are replaced as a whole ----
for option in json html dot sarif junit; do
	echo precious >r.$option
	fake_checker looks-$option <<-END
	say hello sc none
	grep -qx precious r.$option || touch gone
	say done 1 "" 1 0 0 0 1 0.5 1
	END
	run 0 "$EVERETT" run --$option r.$option ./looks-$option
	[ -e gone ] && { fail "$last: the old file is gone before the new one is there"; rm gone; }
	grep -q precious r.$option && fail "$last: nothing was written"
done
# Permissions and links stay as they are.
mkdir sub
echo old >sub/real
chmod 640 sub/real
ln -s sub/real link
run 1 "$EVERETT" check --json link bug.c
[ -L link ] && [ "$(stat -c %a sub/real)" = 640 ] || fail "$last: the link or the permissions changed"
jq -e .everett sub/real >/dev/null || fail "$last: not written"
ln -s sub/new dangling
run 1 "$EVERETT" check --json dangling bug.c
[ -L dangling ] && jq -e .everett sub/new >/dev/null || fail "$last: a link to what is not there"
(umask 077 && run 1 "$EVERETT" check --json private.json bug.c)
[ "$(stat -c %a private.json)" = 600 ] || fail "umask: $(stat -c %a private.json)"
# What is not a regular file is written as it is.
for file in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
	run 1 "$EVERETT" check -q --json $file bug.c; jq -e .everett out >/dev/null || fail "$last: not on standard output"
done
mkfifo fifo
cat fifo >read &
run 1 "$EVERETT" check --json fifo bug.c
wait
jq -e .everett read >/dev/null && [ -p fifo ] || fail "$last: a pipe"
run 1 "$EVERETT" check --json /dev/null bug.c; [ -c /dev/null ] || fail "$last: /dev/null is gone"
run 2 "$EVERETT" check --json /dev/full bug.c; has err "cannot write '/dev/full': No space left on device"
run 2 "$EVERETT" check --json sub bug.c; has err "cannot write 'sub': Is a directory"
run 2 "$EVERETT" check --json nowhere/r.json bug.c; has err "cannot write 'nowhere/r.json': No such file"
[ -z "$(find . -name '.everett-*')" ] || fail "left: $(find . -name '.everett-*')"

# ---- an output is no input, nor another output ----
for option in --json --html --dot --sarif --junit --output --classes --keep; do
	cp bug.c mine.c
	ln -f mine.c hard.c
	ln -sf mine.c soft.c
	for name in mine.c ./mine.c "$PWD/mine.c" hard.c soft.c; do
		run 2 "$EVERETT" check $option "$name" mine.c; one_line
		has err "option '$option' would overwrite the input 'mine.c'"
	done
	cmp -s bug.c mine.c || fail "$option overwrote the source"
done
run 2 "$EVERETT" run --json bug ./bug; one_line; has err "would overwrite the input './bug'"
for command in report replay; do
	run 2 "$EVERETT" $command --html old.json old.json; one_line; has err "would overwrite the input 'old.json'"
done
run 2 "$EVERETT" check --json both --html ./both bug.c; one_line; has err "options '--json' and '--html' both write to 'both', which is './both'"
run 2 "$EVERETT" check --json both --output both bug.c; one_line; has err "both write to 'both'"
run 2 "$EVERETT" check --keep both --classes sub/../both bug.c; one_line
run 2 "$EVERETT" check --json link --sarif sub/real bug.c; one_line
[ -e both ] && fail "both was written"

# ---- standard files that are closed ----
"$EVERETT" check -q --json - bug.c >&- 2>err
[ $? = 2 ] || fail "--json - >&-: no error"
last="--json - >&-"; has err 'cannot write standard output: Bad file descriptor'
"$EVERETT" check bug.c >&- 2>err
[ $? = 2 ] || fail ">&-: no error"
"$EVERETT" check --json closed.json bug.c <&- >&- 2>&-
[ $? = 2 ] || fail "all closed: status"
jq -e '.results[0].verdict == "finding"' closed.json >/dev/null || fail "all closed: the report is $(head -c 100 closed.json)"
"$EVERETT" check -q --json closed.json ok.c <&- >&- 2>&-
[ $? = 0 ] || fail "all closed, nothing to print"

# ---- signals that whoever started us ignores ----
for signal in CHLD XFSZ PIPE USR1 ALRM; do
	run 1 bash -c "trap '' $signal; exec \"\$EVERETT\" check bug.c"
	run 0 bash -c "trap '' $signal; exec \"\$EVERETT\" check ok.c"
done

# ---- no room ----
# Files of at most so many KiB: neither the signal that this means nor LLVM's own messages decide the status.
for kib in 0 1 4 16 100; do
	(ulimit -f $kib; exec "$EVERETT" check --json r.json bug.c) 2>&1 >/dev/null </dev/null | cat >err
	status=${PIPESTATUS[0]}
	last="ulimit -f $kib"
	[ $status = 2 ] || { fail "$last: status $status"; cat err; }
	has err '^everett: .*File too large'
done
echo old >small.json
(ulimit -f 1; exec "$EVERETT" run --json small.json ./bug) 2>&1 >/dev/null </dev/null | cat >err
status=${PIPESTATUS[0]}
last="ulimit -f 1, run"
[ $status = 2 ] || fail "$last: status $status"
[ "$(cat small.json)" = old ] || fail "$last: the old report is lost"
has err "cannot write 'small.json': File too large" 'FINDING assertion'

# A compiler that dies, and leaves files behind.
for end in 'exit 1' 'exit 70' 'kill -KILL $$' 'kill -SEGV $$' 'touch "$TMPDIR/crash"; kill -ABRT $$'; do
	printf '#!/bin/bash\n%s\n' "$end" >clang
	chmod +x clang
	run 2 env EVERETT_CLANG="$PWD/clang" "$EVERETT" check bug.c
	[ -z "$(ls -A tmp)" ] || fail "$end: left in tmp: $(ls -A tmp)"
done

# ---- directories of runs that were killed ----
mkdir -m 700 tmp/everett-abcdef tmp/everett-ABCDEF tmp/everett-mine12
touch tmp/everett-abcdef/.everett tmp/everett-abcdef/checker # of nobody: the next run removes it
touch tmp/everett-mine12/thesis.tex # has no mark of ours
touch tmp/everett-ABCDEF/.everett
exec 9<tmp/everett-ABCDEF/.everett
flock 9 # somebody is using it
run 0 "$EVERETT" check ok.c
[ -e tmp/everett-abcdef ] && fail "an abandoned directory was left"
[ -e tmp/everett-mine12/thesis.tex ] || fail "a file of somebody else was removed"
[ -e tmp/everett-ABCDEF/.everett ] || fail "a directory in use was removed"
exec 9<&-
rm -r tmp/everett-mine12
run 0 "$EVERETT" check ok.c
finish
