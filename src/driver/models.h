/* The memory models a user can name. Whether a checker has one is for the checker to say. */
#ifndef EVR_DRIVER_MODELS_H
#define EVR_DRIVER_MODELS_H

#include "driver/options.h"

const char *evr_default_models(enum evr_command command);

/*
 * Adds the models of "sc,tso" or "all" to out, each once, of those that the command, or one of several, knows. Returns 0, or
 * -1 with *unknown set to a name to free.
 */
int evr_models_parse(const char *list, unsigned command, evr_words *out, char **unknown);
/* Is there such a model at all? */
bool evr_model_known(const char *name);
/* Are these all that the command knows? */
bool evr_models_all(const evr_words *names, enum evr_command command);

#endif
