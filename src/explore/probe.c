#include "explore/probe.h"

#include <string.h>

void evr_probe_init(struct evr_probe *p)
{
	memset(p, 0, sizeof(*p));
	p->random = UINT64_C(0x9e3779b97f4a7c15);
}

void evr_probe_release(struct evr_probe *p)
{
	evr_map_release(&p->future);
}

double evr_probe_random(struct evr_probe *p)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return (double)(p->random >> 11) / (double)(UINT64_C(1) << 53);
}

void evr_probe_go(struct evr_probe *p, double probability)
{
	p->size /= probability;
}

static uint64_t key(evr_thread_id thread, uint64_t access)
{
	return (uint64_t)thread << 48 ^ access;
}

void evr_probe_learn(struct evr_probe *p, evr_thread_id thread, uint64_t access, uint32_t index)
{
	if (evr_probe_may(p, thread, access, index))
		return;
	evr_map_put(&p->future, key(thread, access), index + UINT64_C(1));
	if (p->threads <= thread)
		p->threads = thread + 1u;
	p->learned++;
}

bool evr_probe_may(const struct evr_probe *p, evr_thread_id thread, uint64_t access, uint32_t index)
{
	const uint64_t *last = evr_map_get(&p->future, key(thread, access));
	return last && *last > index;
}

bool evr_probe_released(const struct evr_probe *p, bool *stuck, unsigned slots, evr_probe_may_fn *may,
			const void *context)
{
	for (;;) {
		bool left = false, changed = false;
		for (unsigned t = 0; t < slots; t++) {
			for (unsigned u = 0; u < p->threads && stuck[t]; u++)
				if (u != t % EVR_MAX_THREADS && may(context, u, t, !stuck[u])) {
					stuck[t] = false;
					changed = true;
				}
			left |= stuck[t];
		}
		if (!left || !changed)
			return !left;
	}
}
