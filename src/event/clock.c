#include "event/clock.h"

#include <stdlib.h>

void evr_clocks_release(struct evr_clocks *c)
{
	free(c->data);
	*c = (struct evr_clocks){ 0 };
}

void evr_clocks_resize(struct evr_clocks *c, uint32_t width, size_t rows, size_t kept)
{
	EVR_ASSERT(width % EVR_CLOCK_LANES == 0 && width >= c->width);
	/* The alignment of any allocation is what lanes need. */
	int32_t *data = evr_alloc(rows * width * sizeof(*data));
	for (size_t i = 0; i < kept && i < c->rows && i < rows; i++)
		evr_clock_copy(&data[i * width], evr_clocks_at(c, i), c->width);
	free(c->data);
	*c = (struct evr_clocks){ data, width, rows };
}
