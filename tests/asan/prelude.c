#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
#ifdef __EVERETT__
#include <everett.h>
#endif

typedef __int128 wide;
typedef char char_u;
typedef short __attribute__((aligned(1))) short_u;
typedef int __attribute__((aligned(1))) int_u;
typedef long __attribute__((aligned(1))) long_u;
typedef __int128 __attribute__((aligned(1))) wide_u;

/* A value that the compiler does not know. */
static volatile long zero;
#define V(x) ((x) + zero)
static volatile long sink;
#define SINK(x) (sink = (long)(x))

static int zero_int;
static char global_char_4[4], global_char_16[16];
static short global_short_4[4];
static int global_int_4[4];
static long global_long_4[4];
static wide global_wide_4[4];
static char out[4096], text[65] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static wchar_t wout[64], wtext[65] = L"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
#define TEXT(n) (text + 64 - (n)) /* n characters */
#define WTEXT(n) (wtext + 64 - (n))

struct pair {
	long x, y;
};
static long sum(struct pair p) { return p.x + p.y; }
static struct pair pair(void) { struct pair p = { 1, 2 }; return p; }
struct node {
	struct node *next;
};
static struct node *cons(struct node *next) { struct node *n = malloc(sizeof *n); n->next = next; return n; }
#define RETURNS(type) \
	static type *local_##type(void) { type a = 1; type *volatile p = &a; return p; } \
	static type *kept_##type(void) { static type a = 1; type *volatile p = &a; return p; }
RETURNS(char)
RETURNS(short)
RETURNS(int)
RETURNS(long)
RETURNS(wide)
static inline __attribute__((always_inline)) int *inlined(void) { int a = 1; int *volatile p = &a; return p; }
static int *array(void) { int a[4] = { 1, 2, 3, 4 }; int *volatile p = a; return p; }
static char *string(void) { char a[8] = "text"; char *volatile p = a; return p; }
