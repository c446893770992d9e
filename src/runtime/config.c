#include "runtime/config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum type { INT, LONG, COUNT, SECONDS, FLAG, MAYBE, WORD };

static const struct setting {
	const char *key;
	size_t field;
	enum type type;
} settings[] = {
#define SETTING(field, type, key, initial) { key, offsetof(struct evr_config, field), type },
#include "runtime/config.def"
#undef SETTING
};

static void assign(void *field, enum type type, const char *value)
{
	bool on = strcmp(value, "0") != 0;
	switch (type) {
	case INT:
		*(int *)field = atoi(value);
		break;
	case LONG:
		*(long *)field = atol(value);
		break;
	case COUNT:
		*(uint64_t *)field = strtoull(value, NULL, 10);
		break;
	case SECONDS:
		*(double *)field = atof(value);
		break;
	case FLAG:
		*(bool *)field = on;
		break;
	case MAYBE:
		*(int *)field = !strcmp(value, "auto") ? -1 : on;
		break;
	case WORD:
		*(const char **)field = value;
		break;
	}
}

static bool set(struct evr_config *c, const char *key, const char *value)
{
	for (size_t i = 0; i < EVR_COUNT(settings); i++) {
		if (strcmp(settings[i].key, key) != 0)
			continue;
		assign((char *)c + settings[i].field, settings[i].type, value);
		return true;
	}
	return false;
}

void evr_config_parse(struct evr_config *c, const char *words)
{
	*c = (struct evr_config){
#define SETTING(field, type, key, initial) .field = initial,
#include "runtime/config.def"
#undef SETTING
	};
	char *copy = evr_strdup(words); /* the values point into it, for good */
	for (char *word = copy; *word;) {
		size_t n = strcspn(word, " ");
		char *after = word + n + (word[n] == ' ');
		word[n] = '\0';
		char *equals = strchr(word, '=');
		if (n && !equals)
			evr_die("EVERETT_CHECKER: '%s' is not of the form key=value", word);
		if (n) {
			*equals = '\0';
			if (!set(c, word, equals + 1))
				evr_die("EVERETT_CHECKER: unknown key '%s'", word);
		}
		word = after;
	}
}
