/* Plain accesses of every size and type; those that no integer carries are split. */
char c;
short s;
int i;
long l;
__int128 x;
float f;
double d;
long double ld;
_Bool b;
void *p;
volatile int v;
struct {
	char c;
	int i;
} st;
int array[10];
typedef int vector __attribute__((vector_size(16)));
vector vec;

void loads(long *out)
{
	*out = c + s + i + l;
	*out += (long)x;
	*out += (long)f + (long)d;
	*out += (long)ld;
	*out += b;
	*out += (long)p;
	*out += v;
	*out += st.i + array[3];
	*out += vec[2];
}

void stores(long n)
{
	c = (char)n;
	s = (short)n;
	i = (int)n;
	l = n;
	x = n;
	f = (float)n;
	d = (double)n;
	ld = n;
	b = n != 0;
	p = (void *)n;
	v = (int)n;
	st.c = 1;
	array[n] = 2;
	vec = (vector){ 1, 2, 3, 4 };
}
