/* What several models together say, in one sentence. */
#include "base/strbuf.h"
#include "report/format.h"

static bool has_word(const char *words, const char *word)
{
	for (const char *s = words; *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");
		if (n == strlen(word) && !strncmp(s, word, n))
			return true;
		s += n;
	}
	return false;
}

/* Does `b`, another model, allow all that `a` does? Some models are incomparable. */
static bool is_weaker(const char *b, const char *a)
{
	static const struct {
		const char *name, *stronger;
	} models[] = {
#define MODEL(model, buffers, sources, robust, races, stronger) { #model, stronger },
#include "model/models.def"
#undef MODEL
	};
	for (size_t i = 0; i < EVR_COUNT(models); i++)
		if (!strcmp(models[i].name, b))
			return has_word(models[i].stronger, a);
	return false;
}

/* A finding is real, whatever became of the search after it. */
enum safety { SAFE, UNSAFE, UNKNOWN };

static enum safety safety_of(const struct evr_result *m)
{
	if (m->findings.len)
		return UNSAFE;
	return evr_result_verified(m) ? SAFE : UNKNOWN;
}

static bool is_weakest(const struct evr_report *r, const struct evr_result *m)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (safety_of(r->results.data[i]) == SAFE && is_weaker(r->results.data[i]->model, m->model))
			return false;
	return safety_of(m) == SAFE;
}

static bool is_unsafe(const struct evr_report *r, const struct evr_result *m)
{
	(void)r;
	return safety_of(m) == UNSAFE;
}

static bool is_safe(const struct evr_report *r, const struct evr_result *m)
{
	(void)r;
	return safety_of(m) == SAFE;
}

static bool is_unknown(const struct evr_report *r, const struct evr_result *m)
{
	(void)r;
	return safety_of(m) == UNKNOWN;
}

typedef bool chooser(const struct evr_report *r, const struct evr_result *m);

static size_t count(const struct evr_report *r, chooser *chosen)
{
	size_t n = 0;
	for (size_t i = 0; i < r->results.len; i++)
		n += chosen(r, r->results.data[i]);
	return n;
}

static void add_models(struct evr_strbuf *out, const struct evr_report *r, chooser *chosen)
{
	evr_words models = { 0 };
	for (size_t i = 0; i < r->results.len; i++)
		if (chosen(r, r->results.data[i]))
			evr_words_add(&models, r->results.data[i]->model);
	evr_text_list(out, &models);
	evr_words_release(&models);
}

/* Where nothing is known of some models, none of the others can be called the weakest: say of each what is known. */
static void add_partial(struct evr_strbuf *out, const struct evr_report *r, size_t safe, size_t unsafe)
{
	const char *before = "The program is";
	if (safe) {
		evr_strbuf_printf(out, "%s safe under ", before);
		add_models(out, r, is_safe);
		before = " and";
	}
	if (unsafe) {
		evr_strbuf_printf(out, "%s not safe under ", before);
		add_models(out, r, is_unsafe);
	}
	evr_strbuf_puts(out, "; nothing was verified under ");
	add_models(out, r, is_unknown);
	evr_strbuf_putc(out, '.');
}

char *evr_conclusion(const struct evr_report *r)
{
	size_t safe = count(r, is_safe), unsafe = count(r, is_unsafe), all = r->results.len;
	if (all < 2 || r->results.data[0]->prediction || r->results.data[0]->robustness)
		return evr_strdup("");
	if (safe == all)
		return evr_strdup("The program is safe under all of these models.");
	if (unsafe == all)
		return evr_strdup("The program is safe under none of these models.");
	if (!safe && !unsafe)
		return evr_strdup("Nothing was verified under any of these models.");
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	if (safe + unsafe < all) {
		add_partial(&out, r, safe, unsafe);
		return evr_strbuf_take(&out);
	}
	evr_strbuf_printf(&out,
			  "The weakest model%s under which the program is safe: ", count(r, is_weakest) > 1 ? "s" : "");
	add_models(&out, r, is_weakest);
	evr_strbuf_putc(&out, '.');
	return evr_strbuf_take(&out);
}
