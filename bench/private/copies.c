/* Copies of structs, by assignment, argument and memcpy(), and of a page. */
#include <assert.h>
#include <string.h>

struct point {
	double x, y, z;
	long id, group;
	int kind, flags;
};

static struct point points[64];
static char page[4096], other[4096];

static struct point move(struct point p, double by)
{
	p.x += by;
	return p;
}

int main(void)
{
	memset(points, 0, sizeof(points));
	for (int round = 0; round < 5000; round++) {
		for (int i = 0; i < 63; i++) {
			struct point p = points[i];
			p.id = i;
			points[i + 1] = p;
		}
		points[0] = move(points[63], 1);
		memcpy(page, other, sizeof(page));
		other[round % 4096] = page[7];
	}
	assert(points[63].x == 4999);
	return 0;
}
