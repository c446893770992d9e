/* Numbers that are known roughly: two digits of them. */
#include "base/strbuf.h"
#include "report/result.h"

static const char *const units[] = { "", " k", " M", " G", " T" };

static size_t unit_of(double n)
{
	size_t i = 0;
	for (; n >= 999.5 && i < EVR_COUNT(units); i++)
		n /= 1000;
	return i;
}

static void add_number(struct evr_strbuf *b, double n, size_t unit)
{
	for (size_t i = 0; i < unit && unit < EVR_COUNT(units); i++)
		n /= 1000;
	evr_strbuf_printf(b, unit >= EVR_COUNT(units) ? "%.1e" : unit && n < 9.95 ? "%.1f" : "%.0f", n);
}

static void add_unit(struct evr_strbuf *b, size_t unit)
{
	if (unit < EVR_COUNT(units))
		evr_strbuf_puts(b, units[unit]);
}

void evr_text_about(struct evr_strbuf *b, double n)
{
	size_t unit = unit_of(n);
	add_number(b, n, unit);
	add_unit(b, unit);
}

void evr_text_spread(struct evr_strbuf *b, double low, double high)
{
	size_t unit = unit_of(high);
	evr_strbuf_puts(b, " (");
	add_number(b, low, unit_of(low));
	if (unit_of(low) != unit)
		add_unit(b, unit_of(low));
	evr_strbuf_putc(b, '-');
	evr_text_about(b, high);
	evr_strbuf_putc(b, ')');
}

void evr_text_seconds(struct evr_strbuf *b, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} kinds[] = { { 86400 * 365.25, "years" }, { 86400, "days" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t i = 0;
	while (i + 1 < EVR_COUNT(kinds) && seconds < 2 * kinds[i].seconds)
		i++;
	double n = seconds / kinds[i].seconds;
	if (n > 1e6)
		evr_strbuf_puts(b, "more than a million years");
	else
		evr_strbuf_printf(b, "%.0f %s", n, kinds[i].name);
}
