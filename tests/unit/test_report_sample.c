/*
 * What is said about a sample is calibrated: on distributions that are known, the bounds hold in at least so many of 1000 samples as their confidence says. And that this can fail: an
 * estimate without a confidence does not hold so often.
 */
#include "report/sample.h"

#include "base/map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEEDS 1000
#define MOST 1000 /* classes */
#define ALLOWED 71 /* 50 of 1000, and three standard deviations of such a count */

static double probability[MOST];
static unsigned classes;
static uint64_t state;

static double random_unit(void)
{
	state = evr_hash64(state + 1);
	return (double)(state >> 11) / 9007199254740992.0;
}

static unsigned draw(void)
{
	double x = random_unit();
	for (unsigned i = 0; i + 1 < classes; i++) {
		x -= probability[i];
		if (x < 0)
			return i;
	}
	return classes - 1;
}

static void normalise(void)
{
	double sum = 0;
	for (unsigned i = 0; i < classes; i++)
		sum += probability[i];
	for (unsigned i = 0; i < classes; i++)
		probability[i] /= sum;
}

/* A sample of n draws, whose first `failing` classes fail. Returns the probability of what it has not seen; *unseen_failing: of what fails and was not seen. */
static double sample(struct evr_result_sample *s, unsigned n, unsigned failing, double *unseen_failing)
{
	unsigned times[MOST] = { 0 }, first[MOST] = { 0 };
	*s = (struct evr_result_sample){ .there = true, .draws = n, .later = n - n / 2 };
	for (unsigned i = 0; i < n; i++) {
		unsigned c = draw();
		times[c]++;
		if (i < n / 2)
			first[c]++;
		s->failing += c < failing;
		s->later_new += i >= n / 2 && !first[c];
		s->later_failing += i >= n / 2 && !first[c] && c < failing;
	}
	double unseen = *unseen_failing = 0;
	for (unsigned i = 0; i < classes; i++) {
		s->drawn_classes += times[i] > 0;
		s->once += times[i] == 1;
		s->twice += times[i] == 2;
		unseen += times[i] ? 0 : probability[i];
		*unseen_failing += times[i] || i >= failing ? 0 : probability[i];
	}
	s->classes = s->drawn_classes;
	return unseen;
}

/* In how many samples is a statement wrong? */
static void judge(unsigned n, unsigned failing)
{
	unsigned wrong_bound = 0, wrong_unseen = 0, wrong_without = 0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct evr_result_sample s;
		double unseen_failing, unseen = sample(&s, n, failing, &unseen_failing);
		wrong_bound += evr_sample_bound(&s) < unseen_failing;
		wrong_unseen += evr_sample_unseen(&s) < unseen;
		wrong_without += (double)s.once / n < unseen;
	}
	assert_true(wrong_bound <= ALLOWED);
	assert_true(wrong_unseen <= ALLOWED);
	/* The judge can fail: Good and Turing's estimate of what is unseen is right on average, and no bound. */
	if (n < classes * 4)
		assert_true(wrong_without > 4 * ALLOWED);
}

static void test_uniform(void **unused)
{
	(void)unused;
	for (classes = 20; classes <= 500; classes *= 5) {
		for (unsigned i = 0; i < classes; i++)
			probability[i] = 1;
		normalise();
		judge(40, 1);
		judge(300, 5);
	}
}

static void test_skewed(void **unused)
{
	(void)unused;
	classes = MOST;
	for (unsigned i = 0; i < classes; i++)
		probability[i] = 1.0 / (i + 1);
	normalise();
	judge(100, 0);
	judge(1000, 3);
	classes = 40;
	for (unsigned i = 0; i < classes; i++)
		probability[i] = exp2(-(double)i);
	normalise();
	judge(60, 0);
}

/* One class of a hundred fails. 300 draws without it make the statement that it has less than a hundredth; that is wrong, and seldom made: tight, too. */
static void test_failing(void **unused)
{
	(void)unused;
	unsigned wrong = 0;
	classes = 100;
	for (unsigned i = 0; i < classes; i++)
		probability[i] = 0.01;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct evr_result_sample s;
		double unseen_failing;
		sample(&s, 300, 1, &unseen_failing);
		wrong += evr_sample_bound(&s) < unseen_failing;
	}
	assert_true(wrong <= ALLOWED);
	assert_true(wrong > 10);
}

/* By adding up what is to be 1 - confidence, with probabilities of Pascal's triangle. */
static void test_binomial(void **unused)
{
	(void)unused;
	for (unsigned n = 1; n <= 30; n++)
		for (unsigned k = 0; k < n; k++) {
			double p = evr_binomial_upper(k, n, 0.95), row[32] = { 1 }, sum = 0;
			for (unsigned i = 1; i <= n; i++)
				for (unsigned j = i; j + 1 > 0; j--)
					row[j] = row[j] * (1 - p) + (j ? row[j - 1] * p : 0);
			for (unsigned j = 0; j <= k; j++)
				sum += row[j];
			assert_true(fabs(sum - 0.05) < 1e-6);
		}
	assert_true(evr_binomial_upper(5, 5, 0.95) == 1);
	assert_true(evr_binomial_upper(0, 0, 0.95) == 1);
	/* Where it is not exact, it is no smaller. */
	assert_true(evr_binomial_upper(20001, 100000, 0.95) > evr_binomial_upper(20000, 100000, 0.95));
	assert_true(evr_binomial_upper(1000000, 10000000, 0.95) > 0.1);
}

static void test_classes(void **unused)
{
	(void)unused;
	struct evr_result_sample s = { .classes = 12, .drawn_classes = 10, .once = 4, .twice = 2 };
	assert_true(evr_sample_classes(&s) == 12);
	s.once = 7;
	assert_true(evr_sample_classes(&s) == 10 + 7 * 6 / 6.0);
	s = (struct evr_result_sample){ .classes = 3, .drawn_classes = 3 };
	assert_true(evr_sample_classes(&s) == 3);
}

/* What is printed is no smaller than the bound, and hardly larger. */
static void test_text(void **unused)
{
	(void)unused;
	char model[] = "sc";
	for (uint64_t n = 1; n < 40000; n += 1 + n / 50) {
		struct evr_result r = { .model = model, .sample = { .there = true, .draws = n, .later = n / 2 } };
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		evr_text_sample(f, &r);
		fclose(f);
		double bound = 100 * evr_sample_bound(&r.sample), unseen = 100 * evr_sample_unseen(&r.sample), said;
		const char *at = strstr(text, "at most ");
		assert_int_equal(sscanf(at, "at most %lf %%", &said), 1);
		assert_true(said >= bound && said < 1.11 * bound);
		at = strstr(at + 1, "at most ");
		assert_int_equal(sscanf(at, "at most %lf %%", &said), 1);
		assert_true(said >= unseen && said < 1.11 * unseen);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uniform),  cmocka_unit_test(test_skewed),  cmocka_unit_test(test_failing),
		cmocka_unit_test(test_binomial), cmocka_unit_test(test_classes), cmocka_unit_test(test_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
