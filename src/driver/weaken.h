/* Which memory orders could be weaker, and which have to be stronger: searches over the assignments of orders (trial.h). */
#ifndef EVR_DRIVER_WEAKEN_H
#define EVR_DRIVER_WEAKEN_H

#include "driver/trial.h"

/*
 * From orders with which the program holds to such of which none can be weakened further by itself. What a trial does not decide stays as it is.
 */
void evr_weaken(struct evr_trials *t, uint8_t *orders);

/*
 * From orders with which the program fails to the cheapest stronger ones and added fences with which it holds; of those that cost the same, the weakest. EVR_FAILS: it fails even if all are
 * seq_cst, which *orders then are, and with a fence before each access.
 */
enum evr_outcome evr_repair(struct evr_trials *t, const char *target, uint8_t *orders);

/* What the order of such an operation costs on the target, in tenths of a plain access. */
unsigned evr_order_cost(const char *target, const struct evr_result_site *s, unsigned order);
/* The name of a target that is known, or NULL; of this machine if `name` is NULL. */
const char *evr_order_target(const char *name);

#endif
