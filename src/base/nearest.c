#include "base/nearest.h"

#include "base/base.h"

#include <ctype.h>

#define LONGEST 64  /* no name is longer; a longer word is near to none */
#define BEGINNING 3 /* letters that may stand for a name that begins so */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Names have no capitals: -m TSO is tso. */
static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The optimal string alignment distance, of which three rows of the table are kept. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t rows[3][LONGEST + 1];
	for (size_t k = 0; k <= m; k++)
		rows[0][k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			row[k] = least(above[k - 1] + !same(a[i - 1], b[k - 1]), least(above[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
				row[k] = least(row[k], second[k - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

/* The one name that begins so; NULL if none does, or several. */
static const char *only_longer(const char *word, const char *const *names, size_t n)
{
	const char *found = NULL;
	size_t length = strlen(word), count = 0;
	for (size_t i = 0; i < n && length >= BEGINNING; i++) {
		if (!names[i] || strncmp(names[i], word, length) != 0)
			continue;
		found = names[i];
		count++;
	}
	return count == 1 ? found : NULL;
}

const char *evr_nearest(const char *word, const char *const *names, size_t n)
{
	const char *nearest = NULL;
	size_t length = strlen(word), best = 1 + (length < 3 ? 1 : length / 3);
	for (size_t i = 0; i < n && length && length <= LONGEST; i++) {
		size_t m = names[i] ? strlen(names[i]) : LONGEST + 1;
		/* A word of which no letter is right is no misspelling. */
		if (m > LONGEST || (length > m ? length - m : m - length) >= best)
			continue;
		size_t d = distance(word, length, names[i], m);
		if (d >= best || d >= m)
			continue;
		best = d;
		nearest = names[i];
	}
	return nearest ? nearest : only_longer(word, names, n);
}

char *evr_did_you_mean(const char *word, const char *const *names, size_t n)
{
	const char *nearest = evr_nearest(word, names, n);
	return nearest ? evr_format("; did you mean '%s'?", nearest) : evr_strdup("");
}
