// Variable arguments: in registers and on the stack, doubles, structs; a va_list handed on, by value and by address, and
// copied; with a visible event between two arguments. The two threads' writes of x: two each, 6.
// executions: sc/none:6
// finding: none
#include "run.h"
#include <stdarg.h>
static int x;
struct big {
	long a[5];
};
struct small {
	int a, b;
};
static long add_list(int n, va_list list)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		s += va_arg(list, int);
	return s;
}
static long take(va_list *list)
{
	return va_arg(*list, long);
}
static long add(int n, ...)
{
	va_list list, again;
	va_start(list, n);
	va_copy(again, list);
	long s = add_list(n, list);
	x = 1;
	long t = 0;
	for (int i = 0; i < n; i++)
		t += va_arg(again, int);
	assert(s == t);
	va_end(again);
	va_end(list);
	return s;
}
static double mixed(const char *kinds, ...)
{
	double s = 0;
	va_list list;
	va_start(list, kinds);
	for (; *kinds; kinds++) {
		switch (*kinds) {
		case 'i':
			s += va_arg(list, int);
			break;
		case 'd':
			s += va_arg(list, double);
			break;
		case 'l':
			s += (double)va_arg(list, long double);
			break;
		case 'b':
			s += (double)va_arg(list, struct big).a[4];
			break;
		case 's':
			s += va_arg(list, struct small).b;
			break;
		case 'p':
			s += (double)take(&list);
			break;
		}
	}
	va_end(list);
	return s;
}
THREAD(work)
{
	assert(add(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
	struct big b = { { 0, 0, 0, 0, 1000 } };
	struct small s = { 0, 10000 };
	assert(mixed("idlbspdi", 1, 2.0, 3.0L, b, s, 100000L, 0.5, 7) == 111013.5);
	x = 2;
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
