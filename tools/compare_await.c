#include "compare_await.h"

#include <string.h>

static bool has_line(const struct await_meaning *m, const char *finding)
{
	for (size_t i = 0; i < m->failures.len; i++)
		if (m->failures.data[i] == strtoul(strrchr(finding, ':') + 1, NULL, 10))
			return true;
	return false;
}

char *await_surplus(const struct run *r, const struct await_meaning *m)
{
	for (size_t i = 0; i < r->findings.len; i++) {
		const char *x = r->findings.data[i];
		bool fine = !strncmp(x, "assertion ", 10)     ? has_line(m, x)
			    : !strncmp(x, "deadlock ", 9)     ? m->deadlock || m->both || m->maybe
			    : !strncmp(x, "no-progress ", 12) ? m->no_progress || m->both
							      : false;
		if (!fine)
			return evr_format("a finding that there should not be: %s", x);
	}
	return NULL;
}

char *await_missing(const struct run *r, const struct await_meaning *m)
{
	size_t assertions = run_findings(r, "assertion "), deadlocks = run_findings(r, "deadlock ");
	size_t loops = run_findings(r, "no-progress ");
	if (assertions < m->failures.len)
		return evr_format("%zu assertions fail, and %zu should", assertions, m->failures.len);
	if (m->deadlock && !deadlocks)
		return evr_strdup("a deadlock is missing");
	if (m->no_progress && !loops)
		return evr_strdup("a loop waits for ever, which is not found");
	return m->both && !deadlocks && !loops ? evr_strdup("neither a deadlock nor no-progress is found") : NULL;
}
