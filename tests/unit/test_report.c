/* A result survives the wire and JSON unchanged, and reads as it should. */
#include "report/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static const char odd[] =
	"tab\there\nnew line \\ back\\slash \\n \\t \\0 \"quoted\" \x01\x1b[31m \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";

static void fill_event(struct evr_result_event *e, int n)
{
	e->thread = n;
	e->index = (unsigned)n * 3;
	evr_result_set(&e->kind, n % 2 ? "read" : "write");
	evr_result_set(&e->order, n % 2 ? "acquire" : "");
	evr_result_set(&e->file, "dir/sb.c");
	e->line = 12;
	e->column = 5;
	evr_result_set(&e->function, "thread_a");
	evr_result_set(&e->location, n ? odd : "");
	e->byte = (uint64_t)n * 8;
	e->size = (unsigned)n;
	evr_result_set(&e->object, n == 2 ? "mutex" : "");
	evr_result_set(&e->value, "0 -> 1");
	e->after_thread = n == 2 ? 1 : -1;
	e->after_index = n == 2 ? 3 : 0;
	e->buffered = n == 2;
	e->source_thread = n == 1 ? 2 : -1;
	e->source_index = n == 1 ? 0 : -1;
	e->initial = n == 3;
	e->past = n != 2;
	for (int i = 0; i < n; i++)
		evr_vec_push(&e->synchronises, (struct evr_result_name){ i, n });
}

static void fill_change(struct evr_result_change *c, int n)
{
	evr_result_set(&c->file, n ? odd : "sb.c");
	evr_result_set(&c->function, "f");
	c->line = 4 + (unsigned)n;
	c->column = 7;
	evr_result_set(&c->operation, "compare_exchange failure");
	evr_result_set(&c->location, n ? odd : "");
	evr_result_set(&c->now, "relaxed");
	evr_result_set(&c->needed, "acquire");
}

static struct evr_result *sample(void)
{
	struct evr_result *r = evr_result_new("tso", "traces");
	r->hello = true;
	r->executions = UINT64_C(9000000000000000000);
	r->blocked = 1;
	r->truncated = 2;
	r->redundant = 3;
	r->events = 24;
	r->explore_seconds = 0.25;
	r->peak_kib = 3100;
	r->races_unchecked = true;
	evr_result_set_stat(r, "questions", 0);
	evr_result_set_stat(r, odd, 2);
	evr_result_set_stat(r, "decided", UINT64_C(9000000000000000000));
	evr_result_set_stat(r, "questions", 7);
	evr_result_set(&r->stopped, "time limit");
	evr_result_set(&r->output, odd);
	evr_vec_push(&r->notes, evr_strdup("RA has no seq_cst"));
	evr_vec_push(&r->notes, evr_strdup(""));
	for (int i = 0; i < 3; i++) {
		struct evr_result_finding *f = evr_result_add_finding(r);
		evr_result_set(&f->kind, "assertion");
		evr_result_set(&f->message, i ? odd : "");
		evr_result_set(&f->file, "sb.c");
		f->line = 17;
		f->thread = i - 1;
		f->execution = 4;
		evr_result_set(&f->schedule, "0.1.0");
		evr_result_set(&f->output, "x\ty\n");
		evr_result_set(&f->other, i ? "dir/a:b.c:3:4" : "");
		evr_result_set(&f->detail, "T0 waits for T1\nT1 waits for T0\n");
		for (int j = 0; j < i * 2; j++)
			fill_event(evr_result_add_event(f), j);
		for (int j = 0; j < i; j++)
			fill_change(evr_result_add_change(f), j);
	}
	return r;
}

static void assert_same_event(const struct evr_result_event *a, const struct evr_result_event *b)
{
	assert_int_equal(a->thread, b->thread);
	assert_int_equal(a->index, b->index);
	assert_string_equal(a->kind, b->kind);
	assert_string_equal(a->order, b->order);
	assert_string_equal(a->file, b->file);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->column, b->column);
	assert_string_equal(a->function, b->function);
	assert_string_equal(a->location, b->location);
	assert_int_equal(a->byte, b->byte);
	assert_int_equal(a->size, b->size);
	assert_string_equal(a->object, b->object);
	assert_string_equal(a->value, b->value);
	assert_int_equal(a->after_thread, b->after_thread);
	assert_int_equal(a->after_index, b->after_index);
	assert_int_equal(a->buffered, b->buffered);
	assert_int_equal(a->source_thread, b->source_thread);
	assert_int_equal(a->source_index, b->source_index);
	assert_int_equal(a->initial, b->initial);
	assert_int_equal(a->past, b->past);
	assert_int_equal(a->synchronises.len, b->synchronises.len);
	for (size_t i = 0; i < a->synchronises.len; i++) {
		assert_int_equal(a->synchronises.data[i].thread, b->synchronises.data[i].thread);
		assert_int_equal(a->synchronises.data[i].index, b->synchronises.data[i].index);
	}
}

static void assert_same_change(const struct evr_result_change *a, const struct evr_result_change *b)
{
	assert_string_equal(a->file, b->file);
	assert_string_equal(a->function, b->function);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->column, b->column);
	assert_string_equal(a->operation, b->operation);
	assert_string_equal(a->location, b->location);
	assert_string_equal(a->now, b->now);
	assert_string_equal(a->needed, b->needed);
}

static void assert_same_finding(const struct evr_result_finding *a, const struct evr_result_finding *b)
{
	assert_string_equal(a->kind, b->kind);
	assert_string_equal(a->message, b->message);
	assert_string_equal(a->file, b->file);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->column, b->column);
	assert_string_equal(a->function, b->function);
	assert_int_equal(a->thread, b->thread);
	assert_int_equal(a->execution, b->execution);
	assert_string_equal(a->schedule, b->schedule);
	assert_string_equal(a->output, b->output);
	assert_string_equal(a->other, b->other);
	assert_string_equal(a->detail, b->detail);
	assert_int_equal(a->events.len, b->events.len);
	for (size_t i = 0; i < a->events.len; i++)
		assert_same_event(&a->events.data[i], &b->events.data[i]);
	assert_int_equal(a->stronger.len, b->stronger.len);
	for (size_t i = 0; i < a->stronger.len; i++)
		assert_same_change(&a->stronger.data[i], &b->stronger.data[i]);
}

static void assert_same(const struct evr_result *a, const struct evr_result *b)
{
	assert_string_equal(a->model, b->model);
	assert_string_equal(a->equivalence, b->equivalence);
	assert_int_equal(a->complete, b->complete);
	assert_int_equal(a->executions, b->executions);
	assert_int_equal(a->blocked, b->blocked);
	assert_int_equal(a->truncated, b->truncated);
	assert_int_equal(a->redundant, b->redundant);
	assert_int_equal(a->events, b->events);
	assert_true(a->explore_seconds == b->explore_seconds);
	assert_int_equal(a->peak_kib, b->peak_kib);
	assert_int_equal(a->races_unchecked, b->races_unchecked);
	assert_string_equal(a->stopped, b->stopped);
	assert_string_equal(a->output, b->output);
	assert_int_equal(a->stats.len, b->stats.len);
	for (size_t i = 0; i < a->stats.len; i++) {
		assert_string_equal(a->stats.data[i].name, b->stats.data[i].name);
		assert_int_equal(a->stats.data[i].count, b->stats.data[i].count);
	}
	assert_int_equal(a->notes.len, b->notes.len);
	for (size_t i = 0; i < a->notes.len; i++)
		assert_string_equal(a->notes.data[i], b->notes.data[i]);
	assert_int_equal(a->findings.len, b->findings.len);
	for (size_t i = 0; i < a->findings.len; i++)
		assert_same_finding(&a->findings.data[i], &b->findings.data[i]);
	assert_string_equal(evr_result_verdict(a), evr_result_verdict(b));
	assert_int_equal(evr_result_status(a), evr_result_status(b));
}

/* ---- the wire ---- */

static void send_all(int fd, const struct evr_result *r)
{
	evr_wire_hello(fd, r->model, r->equivalence);
	evr_wire_progress(fd, r);
	for (size_t i = 0; i < r->findings.len; i++)
		evr_wire_finding(fd, &r->findings.data[i]);
	evr_wire_first(fd, r->output);
	if (r->races_unchecked)
		evr_wire_unchecked(fd);
	for (size_t i = 0; i < r->notes.len; i++)
		evr_wire_note(fd, r->notes.data[i]);
	for (size_t i = 0; i < r->stats.len; i++)
		evr_wire_stat(fd, r->stats.data[i].name, r->stats.data[i].count);
	evr_wire_done(fd, r);
}

static void wire_round_trip(void **state)
{
	(void)state;
	struct evr_result *r = sample(), *got = evr_result_new("sc", "");
	FILE *file = tmpfile();
	assert_non_null(file);
	send_all(fileno(file), r);
	rewind(file);
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int kind = 0;
	while ((n = getline(&line, &cap, file)) > 0) {
		assert_int_equal(kind, 0);
		line[n - 1] = '\0';
		kind = evr_wire_line(got, line);
	}
	assert_int_equal(kind, 1);
	assert_true(got->hello);
	assert_int_equal(got->stats.len, 3);
	assert_int_equal(got->stats.data[0].count, 7);
	assert_same(r, got);
	free(line);
	fclose(file);
	evr_result_free(r);
	evr_result_free(got);
}

static void wire_refuses_nonsense(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"",
		"\t",
		"hello",
		"hello\tsc",
		"hello\tsc\tnone\tmore",
		"helloo\tsc\tnone",
		"progress\t1\t2\t3\t4",
		"progress\t1\t2\t3\t4\tx",
		"progress\t1\t2\t3\t4\t-1",
		"progress\t1\t2\t3\t4\t99999999999999999999999",
		"event\t0",
		"note\tbad \\x escape",
		"note\tends in \\",
		"done\t1",
		"error\tx\tmessage",
		"first",
		"unchecked\tmore",
		"stat\tquestions",
		"stat\tquestions\t-1",
		"stat\tquestions\t1\t2",
		"sync\t1\t2",
		"stronger\ta.c\t1\t2\tf\tload\tx\trelaxed\tacquire",
	};
	for (size_t i = 0; i < EVR_COUNT(lines); i++) {
		struct evr_result *r = evr_result_new("sc", "none");
		assert_int_equal(evr_wire_line(r, lines[i]), -1);
		evr_result_free(r);
	}
}

static void wire_keeps_the_first_error(void **state)
{
	(void)state;
	struct evr_result *r = evr_result_new("sc", "none");
	assert_int_equal(evr_wire_line(r, "error\t2\tfirst\\tone"), 0);
	assert_int_equal(evr_wire_line(r, "error\t4\tsecond"), 0);
	assert_string_equal(r->error, "first\tone");
	assert_int_equal(evr_result_status(r), 2);
	assert_string_equal(evr_result_verdict(r), "error");
	evr_result_free(r);
}

/* ---- JSON ---- */

static char *temp_path(void)
{
	char *path = evr_strdup("/tmp/everett-test-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return path;
}

static void write_report(const char *path, const struct evr_report *r)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(evr_json_write(out, r, NULL), 0);
	fclose(out);
}

static void json_round_trip(void **state)
{
	(void)state;
	char *path = temp_path(), *error = NULL;
	struct evr_report r = { .command = evr_strdup("check") }, got;
	evr_words_add(&r.files, "a b.c");
	evr_words_add(&r.files, odd);
	evr_words_add(&r.compile, "-DX=\"y\"");
	evr_words_add(&r.options, "--unroll");
	evr_words_add(&r.options, "3");
	evr_words_add(&r.args, "");
	evr_vec_push(&r.results, sample());
	evr_vec_push(&r.results, evr_result_new("sc", "rf"));
	r.results.data[0]->unroll = 3;
	r.results.data[1]->complete = true;
	evr_vec_push(&r.results, evr_result_new("ra", "rf"));
	evr_result_error(r.results.data[2], 4, "the checker crashed (signal 11)");
	write_report(path, &r);
	assert_int_equal(evr_json_read(path, &got, &error), 0);
	assert_string_equal(got.command, "check");
	assert_null(got.checker);
	assert_int_equal(got.files.len, 2);
	assert_string_equal(got.files.data[1], odd);
	assert_string_equal(got.compile.data[0], "-DX=\"y\"");
	assert_string_equal(got.options.data[1], "3");
	assert_string_equal(got.args.data[0], "");
	assert_int_equal(got.results.len, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_same(r.results.data[i], got.results.data[i]);
		assert_int_equal(r.results.data[i]->unroll, got.results.data[i]->unroll);
	}
	assert_string_equal(got.results.data[2]->error, "the checker crashed (signal 11)");
	evr_report_release(&r);
	evr_report_release(&got);
	unlink(path);
	free(path);
}

/* What a program prints need not be text; the report must still be one. */
static void json_replaces_what_is_not_utf8(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *text;
	} cases[] = {
		{ "a\xff-", "a\xef\xbf\xbd-" },
		{ "\xc3", "\xef\xbf\xbd" },
		{ "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf0\x9f\x98", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
	};
	for (size_t i = 0; i < EVR_COUNT(cases); i++) {
		char *path = temp_path(), *error = NULL;
		struct evr_report r = { .command = evr_strdup("run"), .checker = evr_strdup(cases[i].bytes) }, got;
		write_report(path, &r);
		assert_int_equal(evr_json_read(path, &got, &error), 0);
		assert_string_equal(got.checker, cases[i].text);
		evr_report_release(&r);
		evr_report_release(&got);
		unlink(path);
		free(path);
	}
}

static void json_tells_a_full_disk(void **state)
{
	(void)state;
	struct evr_report r = { .command = evr_strdup("run") };
	FILE *out = fopen("/dev/full", "w");
	if (!out)
		skip();
	assert_int_equal(evr_json_write(out, &r, NULL), -1);
	fclose(out);
	evr_report_release(&r);
}

/* ---- text ---- */

static char *summary(const struct evr_result *r)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	evr_text_summary(out, r);
	fclose(out);
	return text;
}

static void assert_summary(const struct evr_result *r, const char *expected)
{
	char *text = summary(r);
	assert_string_equal(text, expected);
	free(text);
}

static void summaries(void **state)
{
	(void)state;
	struct evr_result *r = evr_result_new("sc", "none");
	r->executions = 6;
	r->compile_seconds = 0.054;
	r->complete = true;
	assert_summary(r, "everett: sc/none: ok, 6 executions, complete (0.05 s compile, 0.00 s explore)\n");
	r->blocked = 2;
	r->truncated = 3;
	r->unroll = 4;
	assert_summary(
		r,
		"everett: sc/none: ok, 6 executions, 2 blocked, 3 truncated, complete within bound 4 (0.05 s compile, 0.00 s explore)\n");
	r->complete = false;
	r->blocked = r->truncated = 0;
	evr_result_set(&r->stopped, "memory limit");
	assert_summary(
		r,
		"everett: sc/none: incomplete, 6 executions, stopped at the memory limit (0.05 s compile, 0.00 s explore)\n");
	evr_result_set(&r->stopped, "interrupted");
	assert_summary(r, "everett: sc/none: incomplete, 6 executions, interrupted (0.05 s compile, 0.00 s explore)\n");
	evr_result_set(&r->stopped, "");
	struct evr_result_finding *f = evr_result_add_finding(r);
	evr_result_set(&f->kind, "deadlock");
	assert_summary(
		r,
		"everett: sc/none: FINDING deadlock after 6 executions (complete: no; 0.05 s compile, 0.00 s explore)\n");
	evr_result_set(&f->file, "sb.c");
	f->line = 17;
	assert_summary(
		r,
		"everett: sc/none: FINDING deadlock at sb.c:17 after 6 executions (complete: no; 0.05 s compile, 0.00 s explore)\n");
	r->executions = 0;
	f->execution = 3; /* of the random ones, before the search has finished its first */
	assert_summary(
		r,
		"everett: sc/none: FINDING deadlock at sb.c:17 after 3 executions (complete: no; 0.05 s compile, 0.00 s explore)\n");
	evr_result_error(r, 4, "the checker crashed (signal 11)");
	assert_summary(r, "everett: sc/none: error: the checker crashed (signal 11) (1 finding before it)\n");
	evr_result_free(r);
}

static void statistics(void **state)
{
	(void)state;
	struct evr_result *r = evr_result_new("sc", "rf");
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	evr_text_stats(out, r);
	fflush(out);
	assert_int_equal(n, 0);
	evr_result_set_stat(r, "questions", 3);
	evr_result_set_stat(r, "decided", 0);
	evr_result_set_stat(r, "unheard-of", 5);
	evr_text_stats(out, r);
	fclose(out);
	assert_string_equal(text, "everett: sc/rf: 3 questions, 0 left to the decision procedure, 5 unheard-of\n");
	free(text);
	evr_result_free(r);
}

static char *finding_text(unsigned width)
{
	struct evr_result *r = sample();
	struct evr_text_options o = { .width = width, .replay = "everett replay r.json" };
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	evr_text_finding(out, r, &r->findings.data[2], &o);
	fclose(out);
	evr_result_free(r);
	return text;
}

static void the_text_fits_the_width(void **state)
{
	(void)state;
	for (unsigned width = 80; width <= 240; width += 5) {
		char *text = finding_text(width);
		char *rows = strstr(text, "T0"), *end = strstr(text, "T0 waits");
		assert_non_null(rows);
		rows = strchr(strstr(text, "\n\n"), '\n');
		for (char *s = rows; s < end; s += strcspn(s, "\n") + 1)
			assert_true(strcspn(s, "\n") <= width + 16); /* bytes: some characters have several */
		free(text);
	}
}

static void the_text_has_it_all(void **state)
{
	(void)state;
	static const unsigned widths[] = { 40, 100, 400 };
	for (size_t i = 0; i < EVR_COUNT(widths); i++) {
		char *text = finding_text(widths[i]);
		assert_int_equal(strncmp(text, "sb.c:17: assertion: tab", 23), 0);
		assert_non_null(strstr(text, "sb.c:12 write"));
		assert_non_null(strstr(text, "  | x\ty\n"));
		assert_non_null(strstr(text, "  T1 waits for T0\n"));
		assert_non_null(strstr(text, "replay: everett replay r.json\n"));
		assert_null(strchr(text, '\033'));
		free(text);
	}
	char *list = finding_text(40);
	assert_non_null(strstr(list, "  T1#3 sb.c:12 read acquire"));
	assert_non_null(strstr(list, "(from T2#0)"));
	assert_non_null(strstr(list, "(initial)"));
	assert_null(strstr(list, "T2#6"));
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wire_round_trip),
		cmocka_unit_test(wire_refuses_nonsense),
		cmocka_unit_test(wire_keeps_the_first_error),
		cmocka_unit_test(json_round_trip),
		cmocka_unit_test(json_replaces_what_is_not_utf8),
		cmocka_unit_test(json_tells_a_full_disk),
		cmocka_unit_test(summaries),
		cmocka_unit_test(statistics),
		cmocka_unit_test(the_text_fits_the_width),
		cmocka_unit_test(the_text_has_it_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
