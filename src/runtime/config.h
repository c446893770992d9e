/* What the driver asks for, as words in the environment variable EVERETT_CHECKER. The words are listed in config.def. */
#ifndef EVR_CONFIG_H
#define EVR_CONFIG_H

#include "base/base.h"

typedef int evr_config_INT, evr_config_MAYBE;
typedef long evr_config_LONG;
typedef uint64_t evr_config_COUNT;
typedef double evr_config_SECONDS;
typedef bool evr_config_FLAG;
typedef const char *evr_config_WORD;

struct evr_config {
#define SETTING(field, type, key, initial) evr_config_##type field;
#include "runtime/config.def"
#undef SETTING
};

/* Parse the words; dies on one that it does not know. */
void evr_config_parse(struct evr_config *c, const char *words);

#endif
