/* malloc() and free() of small blocks, of which each is used a little. */
#include <assert.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int size;
	char text[];
};

int main(void)
{
	struct node *list = NULL;
	long bytes = 0;
	for (int i = 0; i < 150000; i++) {
		int size = i * 7 % 56;
		struct node *n = malloc(sizeof(*n) + (size_t)size);
		n->next = list;
		n->size = size;
		if (size)
			n->text[size - 1] = 'x';
		list = n;
		if (i % 10 == 9)
			while (list) {
				struct node *next = list->next;
				bytes += list->size;
				free(list);
				list = next;
			}
	}
	assert(bytes == 3675000);
	return 0;
}
