#include "driver/models.h"

static const struct {
	const char *name;
	unsigned commands; /* those that know it */
} models[] = {
	{ "sc", EVR_CHECK | EVR_RUN | EVR_ROBUST },
	{ "tso", EVR_CHECK | EVR_RUN | EVR_ROBUST | EVR_PREDICT },
	{ "pso", EVR_CHECK | EVR_RUN | EVR_ROBUST | EVR_PREDICT },
	{ "pslo", EVR_PREDICT },
	{ "ra", EVR_CHECK | EVR_RUN },
};

const char *evr_default_models(enum evr_command command)
{
	return command == EVR_PREDICT ? "all" : command == EVR_ROBUST ? "tso" : "sc";
}

bool evr_model_known(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		if (!strcmp(name, models[i].name))
			return true;
	return false;
}

static void add(evr_words *out, const char *model)
{
	for (size_t i = 0; i < out->len; i++)
		if (!strcmp(out->data[i], model))
			return;
	evr_words_add(out, model);
}

int evr_models_parse(const char *list, unsigned command, evr_words *out, char **unknown)
{
	for (const char *s = list;; s++) {
		size_t n = strcspn(s, ",");
		char *name = evr_strndup(s, n);
		bool all = !strcmp(name, "all"), known = all;
		for (size_t i = 0; i < EVR_COUNT(models); i++) {
			if ((!all && strcmp(name, models[i].name) != 0) || !(models[i].commands & command))
				continue;
			known = true;
			add(out, models[i].name);
		}
		if (!known) {
			*unknown = name;
			return -1;
		}
		free(name);
		s += n;
		if (!*s)
			return 0;
	}
}

bool evr_models_all(const evr_words *names, enum evr_command command)
{
	size_t n = 0;
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		n += (models[i].commands & command) != 0;
	return names->len == n;
}
