/* What follows from what a sample has seen: estimates, and bounds that hold with EVR_CONFIDENCE, each by itself. */
#ifndef EVR_SAMPLE_H
#define EVR_SAMPLE_H

#include "report/result.h"

#define EVR_CONFIDENCE 0.95

/* The probability of a draw that fails and is of a class that was not seen is at most this. */
double evr_sample_bound(const struct evr_result_sample *s);
/* That of a draw of any class that was not seen. */
double evr_sample_unseen(const struct evr_result_sample *s);
/* How many classes there are, about: rather too few than too many. */
double evr_sample_classes(const struct evr_result_sample *s);
/* Of n independent trials k have succeeded: the upper end of the one-sided interval for the probability of success. */
double evr_binomial_upper(uint64_t k, uint64_t n, double confidence);
/* For people. */
void evr_text_sample(FILE *out, const struct evr_result *r);

#endif
