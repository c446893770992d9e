#!/bin/bash
# What a finding about memory tells: which block or variable it was, who allocated it where, and who gave it back where.
. "$(dirname "$0")/lib.bash"

# tells PATTERN OPTION...: the program on standard input has this finding, under every model, in the text and in JSON.
tells()
{
	local pattern=$1
	shift
	cat >t.c
	run 1 "$EVERETT" check -w -m all --json t.json "$@" t.c
	has out "^t.c:[0-9:]* $pattern\$"
	jq -r '.results[].findings[0] | "\(.kind): \(.message)"' t.json >json.out
	[ "$(grep -c "^$pattern\$" json.out)" = 5 ] || fail "not five times '$pattern': $(cat json.out)"
}

tells 'use-after-free: read of 4 bytes of freed memory node#1->value (16 bytes allocated at t.c:14 by thread 0, freed at t.c:7 by thread 1)' <<'EOF'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *n;
static void *work(void *p)
{
	free(n);
	return p;
}
static int value(void) { return n->value; }
int main(void)
{
	pthread_t t;
	n = calloc(1, sizeof(*n));
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return value();
}
EOF

tells 'double-free: free of malloc#1, which was freed before (4 bytes allocated at t.c:10 by thread 0, freed at t.c:13 by thread 0)' <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *p)
{
	free(p);
	return NULL;
}
int main(void)
{
	void *p = malloc(4);
	pthread_t t;

	free(p);
	pthread_create(&t, NULL, work, p);
	pthread_join(t, NULL);
	return 0;
}
EOF

tells 'use-after-free: write of 4 bytes of freed memory malloc#1\[1\] (8 bytes allocated at t.c:4 by thread 0, moved by realloc at t.c:5 by thread 0)' <<'EOF'
#include <stdlib.h>
int main(void)
{
	int *p = calloc(2, sizeof(*p));
	int *q = realloc(p, 4 * sizeof(*p));
	p[1] = 1;
	free(q);
	return 0;
}
EOF

tells 'double-free: free of malloc#1, which was moved by realloc before (8 bytes allocated at .* by thread 0, moved by realloc at t.c:2 by thread 0)' <<'EOF'
#include <stdlib.h>
int main(void) { char *p = calloc(1, 8), *q = realloc(p, 16); free(q); free(p); return 0; }
EOF

tells 'invalid-free: free of malloc#1\[3\], which is inside of the block, not its start (10 bytes allocated at t.c:4 by thread 0)' <<'EOF'
#include <stdlib.h>
int main(void)
{
	char *p = malloc(10);
	free(p + 3);
	return 0;
}
EOF

tells 'invalid-free: free of a\[0\], which is a local variable' <<'EOF'
#include <stdlib.h>
int main(void) { int a[4] = { 0 }; free(a); return 0; }
EOF

tells 'invalid-free: free of g.b, which is a global variable' <<'EOF'
#include <stdlib.h>
static struct { int a, b; } g;
int main(void) { free(&g.b); return 0; }
EOF

tells 'invalid-free: free of T0:x, which is a thread-local variable' <<'EOF'
#include <stdlib.h>
static _Thread_local int x;
int main(void) { free(&x); return 0; }
EOF

tells 'invalid-free: free of (string constant)\[0\], which is a global variable' <<'EOF'
#include <stdlib.h>
int main(void) { free((char *)"text"); return 0; }
EOF

tells 'invalid-free: free of 0x12345678, which is not an allocated block' <<'EOF'
#include <stdlib.h>
int main(void) { free((void *)0x12345678); return 0; }
EOF

tells 'out-of-bounds: write of 4 bytes at malloc#1+40, outside of the block (40 bytes allocated at t.c:4 by thread 0)' <<'EOF'
#include <stdlib.h>
int main(void)
{
	int *p = malloc(10 * sizeof(*p));
	for (int i = 0; i <= 10; i++)
		p[i] = i;
	return 0;
}
EOF

tells 'out-of-bounds: write of 16 bytes at malloc#1, reaching beyond the block (12 bytes allocated at t.c:3 by thread 0)' <<'EOF'
#include <stdlib.h>
#include <string.h>
int main(void) { char *p = malloc(12); memset(p, 0, 16); return 0; }
EOF

tells 'out-of-bounds: write of 4 bytes at 0x[0-9a-f]*, 3960 bytes past the last block of the heap (40 bytes allocated at t.c:2 by thread 0)' <<'EOF'
#include <stdlib.h>
int main(void) { int *p = malloc(40); p[1000] = 1; return 0; }
EOF

tells "out-of-bounds: read of 4 bytes at a+16, outside of the variable's 16 bytes" <<'EOF'
static int a[4], b[4];
int main(void) { volatile int i = 4; b[0] = 1; return a[i]; }
EOF

tells "out-of-bounds: read of 4 bytes at b-4, outside of the variable's 16 bytes" <<'EOF'
static int a[4], b[4];
int main(void) { volatile int i = -1; a[0] = 1; return b[i]; }
EOF

tells "out-of-bounds: read of 4 bytes at a+16, outside of the local variable's 16 bytes" <<'EOF'
static int sum(const int *p, int n) { int s = 0; for (int i = 0; i <= n; i++) s += p[i]; return s; }
int main(void) { int a[4] = { 1 }, b[4] = { 2 }; return sum(b, 3) + sum(a, 4); }
EOF

tells "out-of-bounds: write of 4 bytes at b-4, outside of the local variable's 16 bytes" <<'EOF'
static void set(int *p, int i) { p[i] = i; }
int main(void) { int a[4] = { 1 }, b[4] = { 2 }; set(a, 0); set(b, -1); return 0; }
EOF

# A local that its function has left; also where the next function's local would have been at the same place.
tells "use-after-free: read of 4 bytes of the local variable x of 'leave', which has returned (at t.c:5)" <<'EOF'
static int *leave(void)
{
	int x = 5;
	int *p = &x;
	return p;
}
static void set(int *p) { *p = 7; }
static int use(const int *p)
{
	int y;
	set(&y);
	return *p + y;
}
int main(void) { return use(leave()) == 9; }
EOF

tells "use-after-free: read of 1 byte of the local variable name\[0\] of 'format', which has returned (at t.c:7)" <<'EOF'
#include <stdio.h>
static char *format(int i)
{
	char name[16];
	snprintf(name, sizeof(name), "%d", i);
	char *volatile p = name;
	return p;
}
int main(void) { return format(3)[0] == 'x'; }
EOF

tells "use-after-free: read of 4 bytes of the local variable j.key of 'start', which has returned (at t.c:14)" --no-races <<'EOF'
#include <pthread.h>
struct job { long id; int key; };
static void *work(void *p)
{
	struct job *j = p;
	static volatile int sink;
	sink = j->key;
	return NULL;
}
static void start(pthread_t *t)
{
	struct job j = { 1, 2 };
	pthread_create(t, NULL, work, &j);
}
int main(void)
{
	pthread_t t;
	start(&t);
	pthread_join(t, NULL);
	return 0;
}
EOF

tells "use-after-free: read of 4 bytes of the local variable x of a thread that has ended (at t.c:3)" <<'EOF'
#include <pthread.h>
static int *kept;
static void leave(void) { pthread_exit(NULL); }
static void *work(void *p)
{
	int x = 1;
	kept = &x;
	leave();
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return *kept;
}
EOF

tells 'uninitialised: malloc#1\[1\] (8 bytes allocated at t.c:2 by thread 0) is read before it is written' <<'EOF'
#include <stdlib.h>
int main(void) { int *p = malloc(8); p[0] = 1; return p[1]; }
EOF

tells 'leak: 10 bytes allocated here by thread 1 are never freed' --leaks <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *p) { char *b = malloc(10); if (!p) return NULL; free(b); return NULL; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
EOF

tells 'invalid-access: read of 4 bytes at a null pointer (address 0x4)' <<'EOF'
struct s { int a, b; };
int main(void) { struct s *volatile p = 0; return p->b; }
EOF

tells 'invalid-access: write of 4 bytes to constant memory: k' <<'EOF'
static const int k = 4;
int main(void) { *(int *)&k = 3; return 0; }
EOF

tells "crash: stack overflow in 'depth'" <<'EOF'
#include <pthread.h>
static int depth(int n) { return n == -1 ? 0 : depth(n + 1) + 1; }
static void *work(void *p) { return depth(0) ? p : NULL; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
EOF
finish
