#!/bin/bash
# On a terminal: lines of help and columns of reports as wide as it is, colours, a progress line, and Ctrl-C.
. "$(dirname "$0")/lib.bash"

# on COLUMNS COMMAND...: on a terminal of that width; what it shows is in the file screen, the status in the file status. With INTERRUPT set, Ctrl-C is
# pressed when that text has come.
cat >on.py <<'END_OF_PYTHON'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if not pid:
    # The width is set before anybody asks for it.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 50, int(sys.argv[1]), 0, 0))
    os.environ.update(TERM='xterm')
    for name in ('NO_COLOR', 'COLUMNS', 'CLICOLOR_FORCE'):
        os.environ.pop(name, None)
    os.execvp(sys.argv[2], sys.argv[2:])
seen, wanted = b'', os.environ.get('INTERRUPT', '').encode()
try:
    while more := os.read(fd, 4096):
        seen += more
        if wanted and wanted in seen:
            os.write(fd, b'\x03')
            wanted = b''
except OSError:
    pass
open('screen', 'wb').write(seen.replace(b'\r\n', b'\n'))
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=open('status', 'w'))
END_OF_PYTHON
on()
{
	last="on a terminal: ${*:2}"
	timeout -s KILL 3600 python3 on.py "$@" || fail "$last"
}

# The help has the words that it has elsewhere.
run 0 "$EVERETT" help check
tr -s ' \n' '\n\n' <out >words
for width in 60 80 120; do
	on $width "$EVERETT" help check
	tr -s ' \n' '\n\n' <screen | cmp -s - words || fail "$width: other words of help"
	[ "$(sed -n '/^Options/,/-D -U/p' screen | head -n -1 | wc -L)" -le $width ] || fail "$width: help of $(wc -L <screen) columns"
done

cp "$TOP/examples/sb.c" .
for width in 72 100; do
	on $width "$EVERETT" check -m tso sb.c
	[ "$(cat status)" = 1 ] || fail "status $(cat status)"
	has screen $'\033\[1m' $'\033\[1;31m.*assertion!' 'FINDING assertion at sb.c:31'
	sed -n '/T0 main/,/assertion!/p' screen | sed $'s/\033\\[[0-9;]*m//g' >plain
	[ "$(wc -l <plain)" -gt 20 ] && [ "$(wc -L <plain)" -le $width ] || fail "$width: $(wc -lL <plain)"
done
run 1 "$EVERETT" check -m tso sb.c; hasnot out $'\033'
on 100 "$EVERETT" check --color never -m tso sb.c; hasnot screen $'\033'

# The progress line is on the terminal alone, fits into it, and is gone when Ctrl-C ends the search with a summary.
cat >long.c <<'END_OF_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *a) { for (int i = 0; i < 12; i++) atomic_fetch_add(&x, 1); return a; }
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	assert(x == 48);
	return 0;
}
END_OF_C
INTERRUPT='/s' on 70 "$EVERETT" check -m sc long.c
[ "$(cat status)" = 3 ] || fail "status $(cat status) after Ctrl-C"
has screen 'sc/rf: [0-9.k M]* executions' 'incomplete, [0-9]* executions, interrupted'
tr '\r' '\n' <screen | sed $'s/\033\\[[0-9;]*[A-Za-z]//g' | grep 'executions, [0-9.]* k*/s' >lines
[ -s lines ] && [ "$(wc -L <lines)" -le 70 ] || fail "a progress line of $(wc -L <lines) columns"
run 3 "$EVERETT" check -m sc --timeout 1 long.c; hasnot err 'executions, [0-9.]* k*/s' $'\r'
finish
