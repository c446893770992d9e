#!/bin/bash
# From source to verdict, with everything that only `check` does.
. "$(dirname "$0")/lib.bash"

cat >ok.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifdef TEXT
static const char *text = TEXT;
#else
static const char *text = "plain";
#endif
static void *f(void *a) { return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	assert(!pthread_create(&t, NULL, f, NULL));
	printf("%s %d %s\n", text, argc, argv[argc - 1]);
	return 0;
}
EOF
cat >bad.c <<'EOF'
#include <assert.h>
int main(int argc, char **argv)
{
	(void)argv;
	assert(argc == 1);
	return 0;
}
EOF
run 0 "$EVERETT" check ok.c
one_line
has err '^everett: sc/[a-z]*: ok, 1 execution, complete ([0-9.]* s compile, [0-9.]* s explore)$'
run 0 "$EVERETT" check -v --output - -DTEXT='"b c"' ok.c -- x "y z"
has out '^b c 3 y z$'
has err '^everett: compile [0-9.]* s: clang [0-9.]*, instrument [0-9.]*, link [0-9.]*$'
run 0 "$EVERETT" check -q bad.c
run 1 "$EVERETT" check bad.c --json r.json -- x
has err 'FINDING assertion at bad.c:5 after 1 execution'
has out '^bad.c:5:' 'replay: everett replay r.json'
run 1 "$EVERETT" replay r.json
has out '^bad.c:5:'
run 1 "$EVERETT" check bad.c -- x
eval "words=($(sed -n 's/^ *replay: everett//p' out))"
run 1 "$EVERETT" "${words[@]}"
has out '^bad.c:5:'
sed -i 's/argc == 1/argc == 2/' bad.c
run 4 "$EVERETT" replay r.json
has err 'did not reproduce the finding: expected assertion at bad.c:5'

# The checker that is kept is one.
run 0 "$EVERETT" check --keep kept ok.c
run 0 "$EVERETT" run --output - ./kept -- z
has out '^plain 2 z$'

# Several files, a library, warnings of clang.
printf 'int g(void) { return 0; }\n' >g.c
printf 'int g(void);\ndouble cos(double);\nint main(int c, char **v) { int unused; (void)v; return g() + (cos(c) > 2); }\n' >f.c
run 0 "$EVERETT" check -Wall -lm f.c g.c
has err "f.c:3:[0-9]*: warning: unused variable 'unused'"

# A signal while compiling leaves no files.
cat >slow <<'EOF'
#!/bin/bash
: >started
exec sleep 100
EOF
chmod +x slow
set -m
EVERETT_CLANG=$PWD/slow "$EVERETT" check ok.c >out 2>err &
pid=$!
set +m
until_exists started $pid
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "a signal while compiling does not end the driver"
finish
