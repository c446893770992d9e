/* The models of `everett predict` (paper 002, section 4.2). */
#ifndef EVR_RELAXER_H
#define EVR_RELAXER_H

#include "model/model.h"

extern const struct evr_model_ops evr_relaxer_tso, evr_relaxer_pso, evr_relaxer_pslo;
/* All of them, NULL at the end. */
extern const struct evr_model_ops *const evr_relaxers[];
const struct evr_model_ops *evr_relaxer_find(const char *name);

/* Under PSLO: the variant of a thread's pending load that reads the earliest value that it may; 0: there is but the newest. */
uint32_t evr_relaxer_earliest(const struct evr_world *w, evr_thread_id t);

#endif
