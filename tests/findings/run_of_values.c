// executions: sc/none:1 sc/rf:1 ra/rf:1 rc11/rf:1
// finding: none
// output: 5 6 -1 300 1 2 12 2.5 x 36
/* What accesses that are checked together read and write is what each would by itself: in loops, so that the bytes are own from the second time on. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct all {
	long l;
	int i;
	short s;
	char c;
	unsigned char u;
	double d;
	struct all *next;
	char text[4];
};

static struct all *turn(struct all *p, struct all *q, int k)
{
	p->l = q->l + 1;
	p->i = (int)p->l + q->i;
	p->s = p->s + 100;
	q->c = p->c;
	p->c--;
	q->u = p->u + q->u;
	p->d = q->d / 2;
	q->d = p->d * 2;
	memcpy(p->text, q->text, sizeof(p->text));
	p->next = q;
	q->next = p;
	return k % 2 ? p->next->next : p->next;
}

/* Each access needs what the one before has read. */
static long chain(struct all *p, int n)
{
	long sum = 0;
	for (int k = 0; k < n; k++) {
		p->i = p->next->i;
		p->next->i = (int)p->next->l + p->i;
		p->next->next->l = p->next->i;
		sum += p->l + p->next->i - p->i;
		p = p->next;
	}
	return sum;
}

static void swap(int *v, int i, int j)
{
	int t = v[i];
	v[i] = v[j];
	v[j] = t;
}

int main(void)
{
	struct all *p = calloc(1, sizeof(*p)), *q = calloc(1, sizeof(*q));
	int v[6] = { 5, 4, 3, 2, 1, 0 }, w[6];
	p->c = 2;
	p->u = q->u = 1;
	q->d = 5;
	q->l = 4;
	q->i = 1;
	strcpy(q->text, "x");
	for (int k = 0; k < 3; k++)
		turn(p, q, k);
	long l = p->l, i = p->i, c = p->c, s = p->s;
	for (int k = 0; k < 6; k++)
		w[k] = k;
	for (int n = 0; n < 3; n++)
		for (int k = 0; k < 3; k++)
			swap(v, k, 5 - k);
	for (int k = 0; k < 6; k++)
		assert(v[k] == w[k]);
	long sum = 0;
	for (int n = 0; n < 3; n++)
		sum = chain(p, 2);
	printf("%ld %ld %ld %ld %d %d %d %.1f %s %ld\n", l, i, c, s, q->c + 1, v[2], q->u + 8, p->d, p->text, sum);
	return 0;
}
