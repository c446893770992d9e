/*
 * A compilation database, entry by entry, turned into the flags with which clang compiles the same source.
 *
 * Invariant: evr_database_open() has checked every entry, so whoever reads one later finds its fields with their types. Paths
 * in the flags are made absolute: an entry's are relative to its own directory, not to ours.
 */
#include "driver/database.h"

#include "base/strbuf.h"
#include "driver/cc.h"

#include <errno.h>
#include <jansson.h>
#include <sys/stat.h>

struct evr_database {
	char *path, *folder;
	json_t *entries;
};

static char *join(const char *directory, const char *path)
{
	return *path == '/' ? evr_strdup(path) : evr_format("%s/%s", directory, path);
}

static bool exists(const char *path)
{
	struct stat st;
	return !stat(path, &st);
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* ---- the file ---- */

/* "directory", "file", and "command" or "arguments". */
static bool is_entry(const json_t *e)
{
	const json_t *arguments = json_object_get(e, "arguments");
	if (!json_is_string(json_object_get(e, "directory")) || !json_is_string(json_object_get(e, "file")))
		return false;
	for (size_t i = 0; i < json_array_size(arguments); i++)
		if (!json_is_string(json_array_get(arguments, i)))
			return false;
	return json_is_array(arguments) || json_is_string(json_object_get(e, "command"));
}

struct evr_database *evr_database_open(const char *path)
{
	struct evr_database *d = evr_alloc(sizeof(*d));
	json_error_t error;
	d->path = is_folder(path) ? evr_format("%s/compile_commands.json", path) : evr_strdup(path);
	FILE *in = fopen(d->path, "r");
	if (!in)
		evr_die("cannot open '%s': %s", d->path, strerror(errno));
	d->entries = json_loadf(in, 0, &error);
	fclose(in);
	if (!d->entries)
		evr_die("'%s' is not JSON: line %d: %s", d->path, error.line, error.text);
	if (!json_is_array(d->entries))
		evr_die("'%s' is not a compilation database: not an array", d->path);
	for (size_t i = 0; i < json_array_size(d->entries); i++)
		if (!is_entry(json_array_get(d->entries, i)))
			evr_die("'%s' is not a compilation database: entry %zu lacks directory, file or command",
				d->path, i + 1);
	char *real = realpath(d->path, NULL), *slash = real ? strrchr(real, '/') : NULL;
	d->folder = slash ? evr_strndup(real, (size_t)(slash - real)) : evr_strdup(".");
	free(real);
	return d;
}

void evr_database_free(struct evr_database *d)
{
	if (!d)
		return;
	json_decref(d->entries);
	free(d->folder);
	free(d->path);
	free(d);
}

static const char *field(const json_t *entry, const char *name)
{
	return json_string_value(json_object_get(entry, name));
}

/* The working directory of the compiler. It should be absolute; if not, it can only be meant from where it stands. */
static char *directory_of(const struct evr_database *d, const json_t *entry)
{
	return join(d->folder, field(entry, "directory"));
}

static bool is_about(const struct evr_database *d, const json_t *entry, const char *real)
{
	char *directory = directory_of(d, entry), *file = join(directory, field(entry, "file"));
	char *resolved = realpath(file, NULL);
	bool same = resolved && !strcmp(resolved, real);
	free(resolved);
	free(file);
	free(directory);
	return same;
}

static const json_t *find(const struct evr_database *d, const char *file, bool verbose)
{
	char *real = realpath(file, NULL);
	const json_t *found = NULL;
	size_t n = 0;
	for (size_t i = 0; real && i < json_array_size(d->entries); i++) {
		const json_t *entry = json_array_get(d->entries, i);
		if (!is_about(d, entry, real))
			continue;
		found = found ? found : entry;
		n++;
	}
	free(real);
	if (!found)
		evr_die("'%s' has no entry for '%s'", d->path, file);
	if (n > 1 && verbose)
		evr_warn("'%s' has %zu entries for '%s': using the first", d->path, n, file);
	return found;
}

/* ---- the words of an entry ---- */

/* Response files are found from the compiler's working directory. */
static void add_word(evr_words *out, const char *directory, const char *word)
{
	if (word[0] != '@') {
		evr_words_add(out, word);
		return;
	}
	char *path = join(directory, word + 1), *at = evr_format("@%s", path);
	evr_words_add(out, at);
	free(at);
	free(path);
}

static void read_words(const json_t *entry, const char *directory, evr_words *out)
{
	const json_t *arguments = json_object_get(entry, "arguments");
	for (size_t i = 0; i < json_array_size(arguments); i++)
		add_word(out, directory, json_string_value(json_array_get(arguments, i)));
	if (arguments)
		return;
	const char *rest = field(entry, "command");
	for (char *word; (word = evr_cc_next_word(&rest, true)); free(word))
		add_word(out, directory, word);
}

/* ---- what they mean to us ---- */

/*
 * How many words to leave out: outputs besides the object, which are the project's, and what would keep the report from naming
 * the sources. Nor do the warnings of one compiler have to be errors of another.
 */
static size_t left_out(const char *word)
{
	static const char *const with_argument[] = { "-MF", "-MT", "-MQ", "-MJ" };
	static const char *const alone[] = { "-MD", "-MMD", "-MP", "-MG" };
	static const char *const prefixes[] = { "-Wp,-M",
						"-MF",
						"-MT",
						"-MQ",
						"-MJ",
						"-save-temps",
						"--save-temps",
						"-gsplit-dwarf",
						"-Werror",
						"-pedantic-errors",
						"-fdebug-prefix-map=",
						"-ffile-prefix-map=",
						"-fdebug-compilation-dir" };
	for (size_t i = 0; i < EVR_COUNT(with_argument); i++)
		if (!strcmp(word, with_argument[i]))
			return 2;
	for (size_t i = 0; i < EVR_COUNT(alone); i++)
		if (!strcmp(word, alone[i]))
			return 1;
	for (size_t i = 0; i < EVR_COUNT(prefixes); i++)
		if (evr_starts_with(word, prefixes[i]))
			return 1;
	return 0;
}

/* The part of the word with which an option about a path begins, or NULL. */
static const char *path_option(const char *word)
{
	static const char *const options[] = { "-include-pch", "-include",     "-imacros",  "-isystem", "-iquote",
					       "-idirafter",   "-cxx-isystem", "-isysroot", "-iprefix", "-ivfsoverlay",
					       "--sysroot=",   "--sysroot",    "-B",        "-I" };
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		if (evr_starts_with(word, options[i]))
			return options[i];
	return NULL;
}

static char *resolve(const char *directory, const char *option, const char *path)
{
	/* "=" stands for the system's root. Files to include are looked up like any other if they are not there. */
	bool searched = !strcmp(option, "-include") || !strcmp(option, "-imacros");
	char *absolute = join(directory, path);
	if (*path != '=' && (!searched || exists(absolute)))
		return absolute;
	free(absolute);
	return evr_strdup(path);
}

/* Takes one word, or two if the second is the path. */
static size_t add_path(evr_words *out, const char *directory, const char *option, char *const *words, size_t n)
{
	size_t length = strlen(option);
	bool joined = words[0][length] != '\0';
	if (!joined && n < 2)
		return 1;
	char *path = resolve(directory, option, joined ? words[0] + length : words[1]);
	char *word = evr_format("%s%s", option, joined ? path : "");
	evr_words_add(out, word);
	if (!joined)
		evr_words_add(out, path);
	free(word);
	free(path);
	return joined ? 1 : 2;
}

static void add_flags(evr_words *out, const char *directory, const evr_words *flags)
{
	for (size_t i = 0; i < flags->len;) {
		const char *word = flags->data[i], *option = path_option(word);
		size_t leave = left_out(word);
		if (leave) {
			i += leave;
		} else if (option) {
			i += add_path(out, directory, option, flags->data + i, flags->len - i);
		} else {
			evr_words_add(out, word);
			i++;
		}
	}
	/* Those of gcc, say. */
	evr_words_add(out, "-Wno-unknown-warning-option");
}

void evr_database_words(const struct evr_database *d, const char *file, bool verbose, evr_words *out)
{
	const json_t *entry = find(d, file, verbose);
	char *directory = directory_of(d, entry);
	const char *language = NULL;
	evr_words words = { 0 }, flags = { 0 };
	struct evr_cc cc;
	read_words(entry, directory, &words);
	/* The first is the compiler; or it is a launcher, and the compiler passes for one of the inputs. */
	evr_cc_init(&cc, false, words.len ? words.data + 1 : NULL, words.len ? words.len - 1 : 0);
	for (size_t i = 0; i < cc.words.len; i++) {
		const struct evr_cc_word *w = &cc.words.data[i];
		if (w->input)
			language = w->language ? w->language : language;
		else if (w->uses & EVR_CC_COMPILE)
			evr_words_add(&flags, w->text);
	}
	add_flags(out, directory, &flags);
	if (language) {
		evr_words_add(out, "-x");
		evr_words_add(out, language);
	}
	evr_cc_release(&cc);
	evr_words_release(&flags);
	evr_words_release(&words);
	free(directory);
}
