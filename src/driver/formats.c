#include "driver/formats.h"

#include "driver/present.h"

#include <errno.h>

/* Two reports in one file are none. Two terminals or pipes with different names are the user's own affair. */
static void require_different(const struct evr_options *o)
{
	for (size_t i = 0; i < EVR_FORMATS; i++) {
		if (o->formats[i] && o->output && !strcmp(o->formats[i], o->output))
			evr_die("options '--%s' and '--output' both write to '%s'", evr_formats[i].name, o->output);
		for (size_t k = i + 1; k < EVR_FORMATS; k++)
			if (o->formats[i] && o->formats[k] && !strcmp(o->formats[i], o->formats[k]))
				evr_die("options '--%s' and '--%s' both write to '%s'", evr_formats[i].name,
					evr_formats[k].name, o->formats[i]);
	}
}

struct evr_outputs evr_outputs_open(const struct evr_options *o)
{
	struct evr_outputs w = { 0 };
	require_different(o);
	for (size_t i = 0; i < EVR_FORMATS; i++) {
		if (!o->formats[i])
			continue;
		w.files[i] = evr_output_open(o->formats[i]);
		w.on_stdout |= w.files[i] == stdout;
		w.count++;
	}
	return w;
}

int evr_outputs_write(const struct evr_outputs *w, const struct evr_options *o, const struct evr_report *r,
		      const char *json)
{
	int status = EVR_OK;
	for (size_t i = 0; i < EVR_FORMATS; i++) {
		if (!w->files[i])
			continue;
		int failed = evr_formats[i].write(w->files[i], r, json) ? errno : 0;
		status = evr_worse_status(status, evr_output_close(w->files[i], o->formats[i], failed));
	}
	return status;
}
