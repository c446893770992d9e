#!/bin/bash
# --watch: a check for each change of a source or a header, however it comes, and the last verdict's status at the end.
. "$(dirname "$0")/lib.bash"

good='#include "value.h"\n#include <assert.h>\nint main(void) { assert(VALUE == 1); return 0; }\n'
printf '#define VALUE 1\n' >value.h
printf "$good" >a.c

# soon N PATTERN: within a generous time, so many lines of the log match; never more.
soon()
{
	local _ n
	for _ in $(seq 1200); do
		n=$(grep -c -e "$2" log)
		[ "$n" -lt "$1" ] || break
		sleep 0.1
	done
	[ "$n" = "$1" ] || { fail "$n times '$2', not $1"; sed 's/^/    /' log | tail -n 20; }
}

begin()
{
	: >log
	"$EVERETT" "$@" >>log 2>&1 </dev/null &
	watching=$!
}

# ends SIGNAL STATUS
ends()
{
	kill "-$1" $watching
	wait $watching
	local got=$?
	[ $got = "$2" ] || fail "status $got after $1, not $2: $(tail -n 3 log)"
}

# Written in place, replaced by rename as editors do, and a header.
begin check --watch -m sc a.c
soon 1 'ok, 1 execution'; soon 1 'watching'
printf "${good/== 1/== 2}" >a.c
soon 1 'FINDING assertion'; soon 2 'watching'
has log "'a.c' has changed"
printf "$good" >new; mv new a.c
soon 2 'ok, 1 execution'; soon 3 'watching'
printf '#define VALUE 3\n' >new; mv new value.h
soon 2 'FINDING assertion'; soon 4 'watching'
has log "value.h' has changed"
# What is no part of it matters to nobody, nor does what is unchanged.
printf 'x' >other.c; touch -r a.c .; sleep 0.3
soon 4 'watching'
# A file that is gone for a moment, and one that does not compile.
rm a.c; printf 'int main(void) { return x; }\n' >a.c
soon 1 'undeclared'; soon 5 'watching'
ends INT 2
hasnot log $'\033'

# The verdict that is left: a finding, or none.
printf '#define VALUE 2\n' >value.h
printf "$good" >a.c
begin check --watch -q -m sc a.c
soon 1 'FINDING'
while pgrep -P $watching >children; do sleep 0.1; done
hasnot log 'watching'
ends TERM 1
printf '#define VALUE 1\n' >value.h
begin check --watch -m sc a.c
soon 1 'watching'
ends HUP 0

# A header that is missing appears, in a folder of its own.
mkdir include
printf '#include "late.h"\nint main(void) { return LATE; }\n' >b.c
begin check --watch -m sc -I include b.c
soon 1 'watching'; has log 'late.h'
printf '#define LATE 0\n' >include/late.h
soon 1 'ok, 1 execution'
ends INT 0

# A change while the check runs ends that check, and is not missed; nor is one of a header while it is being compiled.
cat >long.c <<'END'
#include "value.h"
#include <pthread.h>
#include <stdatomic.h>
#if VALUE == 1
static atomic_int x[4];
static void *work(void *a) { for (int i = 0; i < 40; i++) atomic_fetch_add(&x[i % 4], i); return a; }
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return 0;
}
#else
int main(void) { return 0; }
#endif
END
begin check --watch -m sc long.c
for _ in $(seq 1200); do pgrep -P $watching >children && pgrep -P "$(head -n 1 children)" -f checker >/dev/null && break; sleep 0.05; done
printf '#define VALUE 2\n' >value.h
soon 1 'ok, 1 execution'; soon 1 'watching'
ends INT 0

cat >slow-clang <<END
#!/bin/bash
clang=\$(command -v clang-19 clang | head -n 1)
"\$clang" "\$@"; status=\$?
[[ " \$* " == *' -### '* || ! -e next.h ]] || mv next.h value.h
exit \$status
END
chmod +x slow-clang
printf '#define VALUE 1\n' >next.h
printf "$good" >a.c
EVERETT_CLANG=$PWD/slow-clang begin check --watch -m sc a.c
soon 1 'watching'; soon 1 'ok, 1 execution'; soon 1 "has changed"
ends INT 0

# On a terminal the screen is cleared before each check; Ctrl-C reaches both, and the verdict stands.
command -v python3 >/dev/null && python3 - "$EVERETT" >out <<'END'
import os, pty, sys, time
pid, fd = pty.fork()
if not pid:
    os.execv(sys.argv[1], [sys.argv[1], 'check', '--watch', '-m', 'sc', 'a.c'])
seen = b''
while b'watching' not in seen:
    seen += os.read(fd, 4096)
os.write(fd, b'\x03')
try:
    while True:
        more = os.read(fd, 4096)
        if not more:
            break
        seen += more
except OSError:
    pass
print('cleared' if b'\x1b[2J' in seen else 'not cleared', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
has out '^cleared 0$'

# Of an executable, too; not of what cannot be read twice.
run 0 "$EVERETT" cc a.c -o prog
begin run --watch -m sc prog
soon 1 'watching'
"$EVERETT" cc a.c -o new 2>/dev/null; mv new prog
soon 2 'ok, 1 execution'
ends INT 0
run 2 "$EVERETT" check --watch -; has err 'needs files'
finish
