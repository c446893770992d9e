/*
 * The quickest answer of an oracle: the last execution without what is left out is one still, and the changed events fit in
 * where nothing is in their way.
 */
#ifndef EVR_INSERTION_H
#define EVR_INSERTION_H

#include "model/oracle.h"

/* The order is in the change. False: nothing is known. */
bool evr_oracle_insert(const struct evr_rf *t, struct evr_rf_change *c);

#endif
