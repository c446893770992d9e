/* The models of `everett predict` (paper 002, section 4.2). */
#ifndef EVR_RELAXER_H
#define EVR_RELAXER_H

#include "model/model.h"

#define RELAXER(model) extern const struct evr_model_ops evr_relaxer_##model;
#include "model/relaxers.def"
#undef RELAXER
/* All of them, NULL at the end. */
extern const struct evr_model_ops *const evr_relaxers[];
const struct evr_model_ops *evr_relaxer_find(const char *name);

#endif
