/*
 * What follows from a sample. The draws are independent of each other and from one distribution, so
 *
 *   - if none of n draws fails, the probability p of one that does is, with confidence c, at most the p for which (1 - p)^n = 1 - c;
 *   - the classes that the first half of the draws has are a fixed set for the second half. How many of the later draws lie outside of it has a binomial distribution, whose
 *     parameter is the probability of a class that the first half has not seen: Clopper and Pearson (Biometrika 26, 1934) bound it. All draws together have seen
 *     no less, so the bound holds for what they have not seen, too;
 *   - there are at least about f1 (f1 - 1) / 2 (f2 + 1) classes more than were drawn, where f1 and f2 are the numbers of those that came once and twice: Chao (Scandinavian
 *     Journal of Statistics 11, 1984), from Good and Turing's idea that those that came once tell about those that did not come.
 */
#include "report/sample.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <math.h>

#define MOST_EXACT 20000 /* successes, whose probabilities are added up */

/* The probability of at most k successes of n. */
static double at_most(uint64_t k, uint64_t n, double p)
{
	double sum = 0;
	for (uint64_t i = 0; i <= k; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
			   (double)i * log(p) + (double)(n - i) * log1p(-p));
	return sum;
}

double evr_binomial_upper(uint64_t k, uint64_t n, double confidence)
{
	double low = 0, high = 1;
	if (k >= n)
		return 1;
	if (!k)
		return -expm1(log1p(-confidence) / (double)n);
	/* Hoeffding (Journal of the American Statistical Association 58, 1963): weaker, and no work. */
	if (k > MOST_EXACT)
		return fmin(1, (double)k / (double)n + sqrt(-log(1 - confidence) / (2 * (double)n)));
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;
		if (at_most(k, n, middle) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double evr_sample_bound(const struct evr_result_sample *s)
{
	if (!s->failing)
		return evr_binomial_upper(0, s->draws, EVR_CONFIDENCE);
	return evr_binomial_upper(s->later_failing, s->later, EVR_CONFIDENCE);
}

double evr_sample_unseen(const struct evr_result_sample *s)
{
	return evr_binomial_upper(s->later_new, s->later, EVR_CONFIDENCE);
}

double evr_sample_classes(const struct evr_result_sample *s)
{
	double once = (double)s->once, twice = (double)s->twice;
	double all = (double)s->drawn_classes + (once > 0 ? once * (once - 1) / (2 * (twice + 1)) : 0);
	return all > (double)s->classes ? all : (double)s->classes;
}

/* "0.31 %", with two digits that mean something. A bound is rounded up: a smaller one would not hold. */
static void add_percent(struct evr_strbuf *b, double p)
{
	double unit = p > 0 ? pow(10, floor(log10(100 * p)) - 1) : 1;
	evr_strbuf_printf(b, "%.3g %%", fmin(100, ceil(100 * p / unit) * unit));
}

void evr_text_sample(FILE *out, const struct evr_result *r)
{
	const struct evr_result_sample *s = &r->sample;
	struct evr_strbuf b;
	if (!s->there || !s->draws)
		return;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "%s: %" PRIu64 " classes of executions seen, of about ", r->model, s->classes);
	evr_text_about(&b, evr_sample_classes(s));
	evr_strbuf_printf(&b, " or more; %" PRIu64 " pairs of a write and a read from it\n", s->pairs);
	evr_strbuf_printf(
		&b, "  of %" PRIu64 " independent draws, %" PRIu64 " failed; with %.0f %% confidence, another draw\n",
		s->draws, s->failing, 100 * EVR_CONFIDENCE);
	evr_strbuf_puts(&b, s->failing ? "    fails, and belongs to an unseen class, with a probability of at most "
				       : "    fails with a probability of at most ");
	add_percent(&b, evr_sample_bound(s));
	evr_strbuf_puts(&b, "\n    belongs to an unseen class with a probability of at most ");
	add_percent(&b, evr_sample_unseen(s));
	fprintf(out, "%s\n\n", b.text);
	evr_strbuf_release(&b);
}
