/* The models of `everett predict` (paper 002, section 4.2). */
#ifndef EVR_RELAXER_H
#define EVR_RELAXER_H

#include "model/model.h"

extern const struct evr_model_ops evr_relaxer_tso, evr_relaxer_pso, evr_relaxer_pslo;
/* All of them, NULL at the end. */
extern const struct evr_model_ops *const evr_relaxers[];
const struct evr_model_ops *evr_relaxer_find(const char *name);

#endif
