/* The memory models a user can name. Whether a checker has one is for the checker to say. */
#ifndef EVR_DRIVER_MODELS_H
#define EVR_DRIVER_MODELS_H

#include "report/json.h"

extern const char *const evr_default_model, *const evr_default_robust_model;

/*
 * Adds the models of "sc,tso" or "all" to out, each once; with `robust`, of those that robustness can be asked for. Returns 0,
 * or -1 with *unknown set to a name to free.
 */
int evr_models_parse(const char *list, bool robust, evr_words *out, char **unknown);
/* Is there such a model at all? */
bool evr_model_known(const char *name);

#endif
