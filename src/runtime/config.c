#include "runtime/config.h"

#include <stdlib.h>
#include <string.h>

static bool set(struct evr_config *c, const char *key, char *value)
{
	bool on = strcmp(value, "0") != 0;
	if (!strcmp(key, "fd"))
		c->fd = atoi(value);
	else if (!strcmp(key, "classes-fd"))
		c->classes_fd = atoi(value);
	else if (!strcmp(key, "turn-fd"))
		c->turn_fd = atoi(value);
	else if (!strcmp(key, "serve"))
		c->serve = atoi(value);
	else if (!strcmp(key, "model"))
		c->model = value;
	else if (!strcmp(key, "engine"))
		c->engine = value;
	else if (!strcmp(key, "rvf-no"))
		c->rvf_no = value;
	else if (!strcmp(key, "allow-external"))
		c->allow_external = value;
	else if (!strcmp(key, "nondet"))
		c->nondet = value;
	else if (!strcmp(key, "replay"))
		c->replay = value;
	else if (!strcmp(key, "unroll"))
		c->unroll = atol(value);
	else if (!strcmp(key, "spurious"))
		c->spurious = atol(value);
	else if (!strcmp(key, "spurious-cas"))
		c->spurious_cas = atol(value);
	else if (!strcmp(key, "simplify"))
		c->simplify = on;
	else if (!strcmp(key, "keep-going"))
		c->keep_going = on;
	else if (!strcmp(key, "leaks"))
		c->leaks = on;
	else if (!strcmp(key, "uninitialised"))
		c->uninitialised = on;
	else if (!strcmp(key, "check"))
		c->check = on;
	else if (!strcmp(key, "fail-on-exit"))
		c->fail_on_exit = on;
	else if (!strcmp(key, "verbose"))
		c->verbose = on;
	else if (!strcmp(key, "gdb"))
		c->gdb = on;
	else if (!strcmp(key, "robust"))
		c->robust = on;
	else if (!strcmp(key, "erase"))
		c->erase = on;
	else if (!strcmp(key, "estimate"))
		c->estimate = on;
	else if (!strcmp(key, "decide"))
		c->decide = on;
	else if (!strcmp(key, "races"))
		c->races = !strcmp(value, "auto") ? -1 : on;
	else if (!strcmp(key, "max-executions"))
		c->max_executions = strtoull(value, NULL, 10);
	else if (!strcmp(key, "repeat"))
		c->repeat = strtoull(value, NULL, 10);
	else if (!strcmp(key, "runs"))
		c->runs = strtoull(value, NULL, 10);
	else if (!strcmp(key, "trials"))
		c->trials = strtoull(value, NULL, 10);
	else if (!strcmp(key, "cycle-length"))
		c->cycle_length = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(key, "seed"))
		c->seed = strtoull(value, NULL, 10);
	else if (!strcmp(key, "timeout"))
		c->timeout = atof(value);
	else if (!strcmp(key, "execution-timeout"))
		c->execution_timeout = atof(value);
	else
		return false;
	return true;
}

void evr_config_parse(struct evr_config *c, const char *words)
{
	*c = (struct evr_config){ .fd = -1,
				  .classes_fd = -1,
				  .turn_fd = -1,
				  .serve = -1,
				  .model = "sc",
				  .unroll = -1,
				  .runs = 100,
				  .trials = 30,
				  .cycle_length = 4,
				  .simplify = true,
				  .uninitialised = true,
				  .fail_on_exit = true,
				  .erase = true,
				  .races = -1,
				  .execution_timeout = 10 };
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
