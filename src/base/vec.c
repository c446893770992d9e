#include "base/vec.h"

void *evr_vec_grown(void *data, size_t *cap, size_t need, size_t size)
{
	size_t wanted = *cap ? *cap * 2 : 8;
	if (wanted < need)
		wanted = need;
	*cap = wanted;
	return evr_realloc(data, wanted * size);
}
