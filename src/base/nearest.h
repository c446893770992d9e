/* "Did you mean": the word of a list that a misspelt word is nearest to. */
#ifndef EVR_NEAREST_H
#define EVR_NEAREST_H

#include <stddef.h>

/*
 * The name with the fewest typing errors between it and `word` (letters inserted, dropped, replaced, or two neighbours swapped), the first of
 * several. If every name needs more errors than one in three letters: the only name that begins with `word`, or NULL. Entries that are NULL are
 * passed over.
 */
const char *evr_nearest(const char *word, const char *const *names, size_t n);
/* "; did you mean 'NAME'?", or "" if no name is near; to be freed. */
char *evr_did_you_mean(const char *word, const char *const *names, size_t n);

#endif
