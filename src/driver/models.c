#include "driver/models.h"

#include "base/nearest.h"
#include "base/strbuf.h"

/* A model that several commands know by the same name is here more than once. */
static const struct model {
	const char *name;
	unsigned commands; /* those that know it */
	bool buffers, races; /* see model/models.def */
} models[] = {
#define MODEL(model, buffers, sources, robust, races, stronger) \
	{ #model, \
	  EVR_CHECK | EVR_RUN | EVR_SAMPLE | ((robust) ? EVR_ROBUST : 0) | (sizeof(stronger) > 1 ? EVR_ORDERS : 0), \
	  buffers, races },
#include "model/models.def"
#undef MODEL
#define RELAXER(model) { #model, EVR_PREDICT, true, false },
#include "model/relaxers.def"
#undef RELAXER
};

const char *evr_default_models(enum evr_command command)
{
	return command == EVR_PREDICT ? "all" : command == EVR_ROBUST ? "tso" : command == EVR_ORDERS ? "rc11" : "sc";
}

bool evr_model_depends(enum evr_command command)
{
	return command == EVR_CHECK || command == EVR_RUN || command == EVR_SAMPLE;
}

bool evr_model_heeds_orders(const char *name)
{
	return !strcmp(name, "rc11");
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

/* No option of clang's is so near to a model: the nearest, -msse and -mpku, have two other letters. */
bool evr_models_meant(const char *list)
{
	const char *known[EVR_COUNT(models) + 1] = { "all" };
	evr_words names = { 0 };
	char *unknown = NULL;
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		known[i + 1] = models[i].name;
	bool meant = !evr_models_parse(list, ~0u, &names, &unknown) || evr_nearest(unknown, known, EVR_COUNT(known));
	free(unknown);
	evr_words_release(&names);
	return meant;
}

bool evr_models_all(const evr_words *names, enum evr_command command)
{
	size_t n = 0;
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		n += (models[i].commands & command) != 0;
	return names->len == n;
}

/* ---- help ---- */

static bool is_any(const struct model *m)
{
	(void)m;
	return true;
}

static bool is_buffered(const struct model *m)
{
	return m->buffers;
}

static bool is_unbuffered(const struct model *m)
{
	return !m->buffers;
}

static bool has_races(const struct model *m)
{
	return m->races;
}

static const struct {
	const char *word;
	bool (*has)(const struct model *m);
} sets[] = {
	{ "@models", is_any },
	{ "@buffered", is_buffered },
	{ "@unbuffered", is_unbuffered },
	{ "@races", has_races },
};

/* Does a row above have the same name? */
static bool is_repeated(size_t k, unsigned command)
{
	for (size_t i = 0; i < k; i++)
		if ((models[i].commands & command) && !strcmp(models[i].name, models[k].name))
			return true;
	return false;
}

/* The word at the beginning of the text, if it is one of these, as the models that it stands for; returns its length, or 0. */
static size_t put_set(struct evr_strbuf *out, const char *text, unsigned command)
{
	for (size_t i = 0; i < EVR_COUNT(sets); i++) {
		size_t n = strlen(sets[i].word);
		const char *separator = "";
		if (strncmp(text, sets[i].word, n) != 0)
			continue;
		for (size_t k = 0; k < EVR_COUNT(models); k++) {
			if (!(models[k].commands & command) || !sets[i].has(&models[k]) || is_repeated(k, command))
				continue;
			evr_strbuf_printf(out, "%s%s", separator, models[k].name);
			separator = ", ";
		}
		return n;
	}
	return 0;
}

char *evr_models_hint(const char *unknown, unsigned commands)
{
	const char *names[EVR_COUNT(models) + 1] = { "all" };
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		names[i + 1] = models[i].commands & commands ? models[i].name : NULL;
	char *guess = evr_did_you_mean(unknown, names, EVR_COUNT(names));
	char *list = evr_models_expand("@models", commands);
	char *hint = evr_format("%s (models: %s, or all)", guess, list);
	free(guess);
	free(list);
	return hint;
}

char *evr_models_expand(const char *text, unsigned command)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	while (*text) {
		size_t n = put_set(&out, text, command);
		if (!n)
			evr_strbuf_putc(&out, *text);
		text += n ? n : 1;
	}
	return evr_strbuf_take(&out);
}
