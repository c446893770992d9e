/* The memory models that a user can name: those of model/models.def, and for `predict` those of model/relaxers.def. */
#ifndef EVR_DRIVER_MODELS_H
#define EVR_DRIVER_MODELS_H

#include "driver/options.h"

const char *evr_default_models(enum evr_command command);
/* Does the default of the command depend on the program? */
bool evr_model_depends(enum evr_command command);

/*
 * Adds the models of "sc,tso" or "all" to out, each once, of those that the command, or one of several, knows. Returns 0, or
 * -1 with *unknown set to a name to free.
 */
int evr_models_parse(const char *list, unsigned command, evr_words *out, char **unknown);
/* Is the whole word what evr_models_parse() would take for some command, but for a misspelt model? */
bool evr_models_meant(const char *list);
/* "; did you mean 'tso'? (models: sc, tso, ..., or all)", of the models that one of the commands knows: to be freed. */
char *evr_models_hint(const char *unknown, unsigned commands);
/* Is there such a model at all? */
/* Does it give the memory orders of accesses a meaning? The others know fences. */
bool evr_model_heeds_orders(const char *name);
bool evr_model_known(const char *name);
/*
 * A text of --help in which words stand for lists of the models that the command knows: "@models" for all of them, "@buffered" and
 * "@unbuffered" for those with and without store buffers, "@races" for those that report data races. To be freed.
 */
char *evr_models_expand(const char *text, unsigned command);
/* Are these all that the command knows? */
bool evr_models_all(const evr_words *names, enum evr_command command);

#endif
