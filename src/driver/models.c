#include "driver/models.h"

static const char *const models[] = { "sc", "tso", "pso", "ra" };

const char *const evr_default_model = "sc";

static void add(evr_words *out, const char *model)
{
	for (size_t i = 0; i < out->len; i++)
		if (!strcmp(out->data[i], model))
			return;
	evr_words_add(out, model);
}

int evr_models_parse(const char *list, evr_words *out, char **unknown)
{
	for (const char *s = list;; s++) {
		size_t n = strcspn(s, ",");
		char *name = evr_strndup(s, n);
		bool all = !strcmp(name, "all"), known = all;
		for (size_t i = 0; i < EVR_COUNT(models); i++) {
			if (!all && strcmp(name, models[i]) != 0)
				continue;
			known = true;
			add(out, models[i]);
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
