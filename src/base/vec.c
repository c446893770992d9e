#include "base/vec.h"

#include <string.h>

void *evr_vec_grown(void *data, size_t *cap, size_t need, size_t size)
{
	size_t wanted = *cap ? *cap * 2 : 8;
	if (wanted < need)
		wanted = need;
	*cap = wanted;
	return evr_realloc(data, wanted * size);
}

void evr_vec_release_each(void *const *vectors)
{
	typedef EVR_VEC(void) any;
	for (; *vectors; vectors++) {
		void *data;
		memcpy(&data, *vectors, sizeof(data));
		free(data);
		memset(*vectors, 0, sizeof(any));
	}
}
