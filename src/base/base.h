/*
 * Dying, logging and allocating: what every other module takes for granted.
 *
 * evr_die() is for the user's mistakes and the environment's failures: one line, exit 2.
 * evr_bug() is for our own mistakes: it asks for a report and aborts. A fault of the program
 * under test is neither: it is a finding, a value that travels to the report.
 * Allocation does not fail to the caller; it dies.
 */
#ifndef EVR_BASE_H
#define EVR_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef EVR_ALLOW_BANNED
#include "base/banned.h"
#endif

#define EVR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define EVR_LIKELY(x) __builtin_expect(!!(x), 1)
#define EVR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EVR_COUNT(array) (sizeof(array) / sizeof((array)[0]))
/*
 * What is cleared often, and has some hundred bytes: the library does that faster than the string instruction which a compiler puts in place of
 * memset() if it knows the size. The assembler statement keeps it from knowing.
 */
static inline void evr_clear(void *p, size_t size)
{
	__asm__("" : "+r"(size));
	memset(p, 0, size);
}
/* From this member to the end. */
#define evr_zero_from(object, member) \
	evr_clear((char *)(object) + offsetof(__typeof__(*(object)), member), \
		  sizeof(*(object)) - offsetof(__typeof__(*(object)), member))

/*
 * Of a variable that outlives a call, in what is linked into the checked program: what it belongs to. What belongs to one execution is not
 * static but in runtime/execution.h. tools/lint.sh tells these by the section, so that a new variable must say what it is.
 */
#define EVR_LASTING __attribute__((section(".data.lasting"))) /* all executions: nothing in it tells of one of them */
#define EVR_MEMORY __attribute__((section(".bss.memory"))) /* the program's memory: whoever writes it logs that first */
#define EVR_SCRATCH __attribute__((section(".bss.scratch"))) /* nobody: between two calls it means nothing */

/* Exit statuses of the command line contract. */
enum evr_status {
	EVR_OK = 0,
	EVR_FINDING = 1,
	EVR_USAGE = 2,
	EVR_INCOMPLETE = 3,
	EVR_INTERNAL = 4,
};

_Noreturn void evr_die(const char *format, ...) EVR_PRINTF(1, 2);
_Noreturn void evr_bug(const char *format, ...) EVR_PRINTF(1, 2);
void evr_warn(const char *format, ...) EVR_PRINTF(1, 2);

/* Called by evr_die() with the message before the process ends; the checker tells its driver. */
extern void (*evr_die_hook)(const char *message);

/* A soundness assertion: stays on in release. */
#define EVR_ASSERT(cond) \
	do { \
		if (EVR_UNLIKELY(!(cond))) \
			evr_bug("%s:%d: %s", __FILE__, __LINE__, #cond); \
	} while (0)

#define EVR_NONNULL __attribute__((returns_nonnull))
void *evr_alloc(size_t size) EVR_NONNULL; /* zeroed */
void *evr_realloc(void *p, size_t size) EVR_NONNULL;
char *evr_strdup(const char *s);
char *evr_strndup(const char *s, size_t n);
/* The ending of a noun that is counted: "" or "s". */
static inline const char *evr_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}
bool evr_starts_with(const char *text, const char *prefix);
/* What follows the last slash. */
const char *evr_base_name(const char *path);
char *evr_format(const char *format, ...) EVR_PRINTF(1, 2);
char *evr_vformat(const char *format, va_list args) EVR_PRINTF(1, 0);

#endif
