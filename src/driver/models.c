#include "driver/models.h"

static const struct {
	const char *name;
	bool robust; /* can robustness against it be asked for? */
} models[] = { { "sc", true }, { "tso", true }, { "pso", true }, { "ra", false } };

const char *const evr_default_model = "sc", *const evr_default_robust_model = "tso";

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

int evr_models_parse(const char *list, bool robust, evr_words *out, char **unknown)
{
	for (const char *s = list;; s++) {
		size_t n = strcspn(s, ",");
		char *name = evr_strndup(s, n);
		bool all = !strcmp(name, "all"), known = all;
		for (size_t i = 0; i < EVR_COUNT(models); i++) {
			if ((!all && strcmp(name, models[i].name) != 0) || (robust && !models[i].robust))
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
