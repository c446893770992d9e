/*
 * Golden tests of the instrumenter: each tests/instrument/X.c is compiled and instrumented, and what came of it, without
 * all that depends on the compiler's version, must be what X.expected says: function by function, the hooks that are
 * called, in the order of the text, with the size, operation, memory order and line that they are told. EVR_UPDATE=1
 * writes the expected files anew.
 */
#include "twin.h"

#include "base/strbuf.h"
#include "base/vec.h"
#include "event/event.h"
#include "instrument/instrument.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;    /* tests/instrument */
static char scratch[64]; /* a folder of our own */

static char *slurp(const char *path)
{
	struct evr_strbuf text;
	char buffer[4096];
	evr_strbuf_init(&text);
	FILE *f = fopen(path, "r");
	for (size_t n; f && (n = fread(buffer, 1, sizeof(buffer), f)) > 0;)
		evr_strbuf_add(&text, buffer, n);
	if (f)
		fclose(f);
	char *result = evr_strbuf_take(&text);
	evr_strbuf_release(&text);
	return result;
}

/* What the fields of a site say: line, order, flags. Found by its name, which is unique. */
static void put_site(struct evr_strbuf *out, const char *module, const char *name)
{
	size_t n = strcspn(name, " ,)\n!");
	char *head = evr_format("\n%.*s = ", (int)n, name);
	const char *definition = strstr(module, head);
	unsigned line = 0, column, order = 0, flags = 0;
	free(head);
	const char *values = definition ? strstr(definition + 1, ", i32 ") : NULL;
	if (!values || sscanf(values, ", i32 %u, i16 %u, i8 %u, i8 %u", &line, &column, &order, &flags) != 4)
		fail_msg("cannot read the site %.*s", (int)n, name);
	evr_strbuf_printf(out, " line %u", line);
	if (order)
		evr_strbuf_printf(out, " %s", evr_order_name(order));
	if (flags & EVR_SITE_VOLATILE)
		evr_strbuf_puts(out, " volatile");
	if (flags & EVR_SITE_PARTIAL)
		evr_strbuf_puts(out, " partial");
}

/* Constant integers among a hook's arguments that belong to what it does: sizes, and the operation of an rmw. */
static void put_constants(struct evr_strbuf *out, const char *hook, const char *arguments)
{
	static const char *const operations[] = { "xchg", "add", "sub", "and",  "nand", "or",
						  "xor",  "max", "min", "umax", "umin" };
	const char *size = strstr(arguments, ", i64 ");
	if (!strncmp(hook, "evr_rmw", 7)) {
		const char *op = hook[7] == '4' ? strstr(strstr(arguments, ", i32 ") + 1, ", i32 ")
						: strstr(arguments, ", i32 ");
		evr_strbuf_printf(out, " %s", operations[atoi(op + strlen(", i32 "))]);
	} else if (size && (!strncmp(hook, "evr_copy", 8) || !strncmp(hook, "evr_move", 8) ||
			    !strncmp(hook, "evr_fill", 8) || !strncmp(hook, "evr_frame", 9))) {
		size += strlen(", i64 ");
		if (*size == '%')
			evr_strbuf_puts(out, " n");
		else
			evr_strbuf_printf(out, " %.*s", (int)strspn(size, "0123456789"), size);
	}
}

static void put_call(struct evr_strbuf *out, const char *module, const char *line)
{
	const char *name = strstr(line, " @") + 2, *arguments = strchr(name, '(');
	if (!strncmp(name, "llvm.", 5) || !strncmp(name, "evr_object_register", 19))
		return;
	evr_strbuf_printf(out, "    %.*s", (int)(arguments - name), name);
	if (!strncmp(name, "evr_", 4))
		put_constants(out, name, arguments);
	const char *site = strstr(arguments, "@evr.site");
	if (site)
		put_site(out, module, site);
	evr_strbuf_putc(out, '\n');
}

static void put_line(struct evr_strbuf *out, const char *module, const char *line)
{
	const char *call = strstr(line, "call ");
	if (!strncmp(line, "define ", 7)) {
		const char *name = strchr(line, '@') + 1;
		evr_strbuf_printf(out, "%.*s\n", (int)strcspn(name, "("), name);
	} else if (call && strstr(call, " asm ")) {
		evr_strbuf_puts(out, "    asm\n");
	} else if (call && strstr(call, " @") && strchr(call, '(') > strstr(call, " @")) {
		put_call(out, module, call);
	} else if (call && line[0] == ' ') {
		evr_strbuf_puts(out, "    call by pointer\n");
	} else if (strstr(line, ", ptr @evr_call_site") && strstr(line, "store ")) {
		evr_strbuf_puts(out, "    call site");
		put_site(out, module, strstr(line, "@evr.site"));
		evr_strbuf_putc(out, '\n');
	} else if ((strstr(line, "store i64 1, ") && strstr(line, "@evr.atomic")) ||
		   (strstr(line, "store i8 1, ") && strstr(line, "@evr.flags"))) {
		/* The mark that the operation, or the code, was executed. */
	} else if (line[0] == ' ' && (strstr(line, "load ") || strstr(line, "store ")) && strstr(line, "ptr @")) {
		/* An access to a global that goes past the hooks. */
		evr_strbuf_printf(out, "    UNSEEN %.*s\n", (int)strcspn(line, "\n"), line);
	}
}

/* The table's constructor is ours, and of no interest. */
static char *extract(const char *module)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	bool own = false;
	for (const char *line = module; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char *copy = evr_strndup(line, strcspn(line, "\n"));
		if (!strncmp(copy, "define ", 7))
			own = strstr(copy, "@evr.") || strstr(copy, "@evr_object");
		if (!own && (copy[0] == ' ' || copy[0] == 'd'))
			put_line(&out, module, copy);
		free(copy);
	}
	char *result = evr_strbuf_take(&out);
	evr_strbuf_release(&out);
	return result;
}

static void compare(const char *name, const char *got)
{
	char *path = evr_format("%s/%s.expected", folder, name);
	if (getenv("EVR_UPDATE")) {
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fputs(got, f);
		assert_int_equal(fclose(f), 0);
	}
	char *expected = slurp(path);
	assert_string_equal(got, expected);
	free(expected);
	free(path);
}

/* As the driver compiles; in the folder of the source, so that its name is that of the file alone. */
static int instrument(const char *name, const struct evr_instrument_options *options, const char *output, char **error)
{
	char *bitcode = evr_format("%s/%s.bc", scratch, name);
	char *command =
		evr_format("cd '%s' && %s -w -O0 -g -emit-llvm -c -Xclang -disable-O0-optnone -fno-stack-protector "
			   "-Xclang -fsanitize-address-use-after-scope -o '%s' %s.c",
			   folder, EVR_CLANG, bitcode, name);
	assert_int_equal(system(command), 0);
	int status = evr_instrument(bitcode, output, options, error);
	unlink(bitcode);
	free(command);
	free(bitcode);
	return status;
}

static void golden(const char *name)
{
	const struct evr_instrument_options options = { .dump = true };
	char *output = evr_format("%s/%s.ll", scratch, name), *error = NULL;
	int status = instrument(name, &options, output, &error);
	if (status)
		fail_msg("%s", error);
	char *module = slurp(output), *text = extract(module);
	compare(name, text);
	free(text);
	free(module);
	unlink(output);
	free(output);
}

#define GOLDEN(name) \
	static void name(void **state) \
	{ \
		(void)state; \
		golden(#name); \
	}

GOLDEN(accesses)
GOLDEN(atomics)
GOLDEN(blocks)
GOLDEN(locals)
GOLDEN(scopes)
GOLDEN(loops)
GOLDEN(awaits)
GOLDEN(calls)
GOLDEN(assembly)

static void refused(void **state)
{
	(void)state;
	const struct evr_instrument_options options = { .dump = true };
	char *output = evr_format("%s/refused.ll", scratch), *error = NULL;
	assert_int_equal(instrument("refused", &options, output, &error), -1);
	assert_non_null(error);
	char *text = evr_format("%s\n", error);
	compare("refused", text);
	/* Nothing is written. */
	assert_int_not_equal(access(output, F_OK), 0);
	free(text);
	free(error);
	free(output);
}

static void unreadable_input_is_an_error(void **state)
{
	(void)state;
	const struct evr_instrument_options options = { 0 };
	char *output = evr_format("%s/none.o", scratch), *error = NULL;
	assert_int_equal(evr_instrument("/nonexistent.bc", output, &options, &error), -1);
	assert_non_null(error);
	free(error);
	error = NULL;
	char *text = evr_format("%s/calls.c", folder);
	assert_int_equal(evr_instrument(text, output, &options, &error), -1);
	assert_non_null(strstr(error, "is not the bitcode of this LLVM"));
	free(error);
	free(text);
	free(output);
}

static int setup(void **state)
{
	(void)state;
	const char *top = getenv("TOP");
	folder = evr_format("%s/tests/instrument", top ? top : ".");
	snprintf(scratch, sizeof(scratch), "/tmp/test_instrument.XXXXXX");
	return mkdtemp(scratch) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(folder);
	return rmdir(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses),
		cmocka_unit_test(atomics),
		cmocka_unit_test(blocks),
		cmocka_unit_test(locals),
		cmocka_unit_test(scopes),
		cmocka_unit_test(loops),
		cmocka_unit_test(calls),
		cmocka_unit_test(assembly),
		cmocka_unit_test(awaits),
		cmocka_unit_test(refused),
		cmocka_unit_test(unreadable_input_is_an_error),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
