/* What the files about accesses share: access.c is about single ones, copy.c about many bytes. */
#ifndef EVR_ACCESS_H
#define EVR_ACCESS_H

#include "event/event.h"

/* Who can see an access. */
enum evr_visibility {
	EVR_UNWATCHED, /* nobody keeps account of this memory: the machine's stack, libraries without hooks */
	EVR_PRIVATE, /* only the current thread, as far as is known */
	EVR_VISIBLE, /* others: it is an event */
	EVR_PARTLY_VISIBLE, /* others, some of its bytes */
};

/* Notes that the bytes are accessed. Does not return if they must not be. */
enum evr_visibility evr_access_find(uintptr_t address, size_t size, bool write, const struct evr_site *site);
/* The value of up to a word that is only copied, so that nobody need have written it. */
evr_value evr_access_load_to_copy(uintptr_t address, size_t size, const struct evr_site *site);

#endif
