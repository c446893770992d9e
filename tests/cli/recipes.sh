#!/bin/bash
# What is handed to others' tools: the container's recipe, the action for GitHub, the tasks for VS Code.
. "$(dirname "$0")/lib.bash"
cd "$TOP" || exit 1
scratch=$OLDPWD

# The recipe copies all that a package is made of.
mkdir "$scratch/image"
sed -n 's/^COPY \(tools\/packages.sh \|\)\(.*\) [^ ]*$/\1\2/p' Containerfile | grep -v -e '--from' | tr ' ' '\n' | sort -u >"$scratch/copied"
while read -r path; do
	[ -e "$path" ] || fail "Containerfile copies $path, which is not there"
	cp -r --parents "$path" "$scratch/image"
done <"$scratch/copied"
[ "$(wc -l <"$scratch/copied")" -gt 8 ] || fail "$(wc -l <"$scratch/copied") paths"
rm -rf "$scratch"/image/build*
(cd "$scratch/image" && make -n deb DEBDIR=/out) >"$scratch/out" 2>"$scratch/err" || fail "make deb in the image: $(tail -n 3 "$scratch/err")"
grep -q 'tools/deb.sh build .* /out' "$scratch/out" || fail "make deb makes no package in the image"
grep -q '^RUN .*make deb DEBDIR=/out' Containerfile || fail "the recipe makes no package"

# Every step of the action that runs something runs the script, with the inputs that there are.
action=.github/actions/check
grep -o 'run.sh" [a-z]*' $action/action.yml | cut -d' ' -f2 >"$scratch/steps"
printf 'key\ninstall\ncheck\n' | cmp -s - "$scratch/steps" || fail "steps: $(cat "$scratch/steps")"
grep -o 'inputs\.[a-z]*' $action/action.yml | sort -u | cut -d. -f2 | while read -r name; do
	grep -q "^  $name:" $action/action.yml || echo "FAILED: no input $name"
done >"$scratch/missing"
[ ! -s "$scratch/missing" ] || fail "$(cat "$scratch/missing")"
# The key says what is built, and changes with it.
cd "$scratch/image" && mkdir -p .github/actions && cp -r "$TOP/$action" .github/actions/check
key() { GITHUB_OUTPUT=outputs .github/actions/check/run.sh key && grep '^key=' outputs; rm outputs; }
one=$(key) two=$(key)
[ -n "$one" ] && [ "$one" = "$two" ] || fail "keys: $one, $two"
echo >>src/base/base.c
[ "$(key)" != "$one" ] || fail "another source, the same key"
cd "$scratch" || exit 1
mkdir bin && ln -s "$EVERETT" bin/everett
check() { rm -f outputs; run "$1" env PATH="$PWD/bin:$PATH" GITHUB_OUTPUT=outputs COMMAND=check OPTIONS='-q -m sc,tso' REPORT=r FILES="$2" "$TOP/$action/run.sh" check; }
check 1 "$TOP/examples/sb.c"; has outputs '^status=1$'; has err 'tso/traces: FINDING'
[ -s r.json ] && [ -s r.sarif ] || fail "no reports"
sed 's/assert(.*/;/' "$TOP/examples/sb.c" >fine.c
check 0 fine.c; has outputs '^status=0$'
check 2 missing.c; has outputs '^status=2$'
run 2 "$TOP/$action/run.sh" other; has err 'usage'

# VS Code finds what Everett prints: findings with their places, and when a watched check begins and ends.
sed 's/value/x/' "$TOP/examples/counter.c" >counter.c
"$EVERETT" check -k -m sc counter.c >text 2>&1
: >log
"$EVERETT" check --watch --color never -m sc counter.c >>log 2>&1 &
watching=$!
for _ in $(seq 1200); do grep -q watching log && break; sleep 0.1; done
touch -d '1 hour ago' counter.c
for _ in $(seq 1200); do [ "$(grep -c watching log)" = 2 ] && break; sleep 0.1; done
kill $watching; wait $watching
python3 - "$TOP/share/vscode/tasks.json" text log >out 2>err <<'END' || fail "$(cat out err)"
import json, re, sys
tasks = json.load(open(sys.argv[1]))['tasks']
text, log = (open(name).read().splitlines() for name in sys.argv[2:])
assert {task['label'] for task in tasks} == {'everett: check', 'everett: watch'}
for task, lines in zip(tasks, (text, log)):
    pattern = task['problemMatcher']['pattern']
    found = [m for m in (re.search(pattern['regexp'], line) for line in lines) if m]
    want = [line for line in lines if 'assertion: ' in line]
    assert want and len(found) == len(want), (found, want)
    for m in found:
        assert m.group(pattern['file']).endswith('counter.c') and int(m.group(pattern['line'])) > 1 and int(m.group(pattern['column']))
        assert m.group(pattern['message']).startswith('assertion: ')
background = tasks[1]['problemMatcher']['background']
assert sum(bool(re.search(background['beginsPattern'], line)) for line in log) == 1, log
assert sum(bool(re.search(background['endsPattern'], line)) for line in log) == 2, log
END
finish
