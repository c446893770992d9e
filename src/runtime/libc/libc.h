/*
 * What the library's wrappers share: scratch memory, the text of formatted output, files, and the library's own state.
 *
 * A wrapper copies what it reads of the program's memory into an evr_text and lets the real function work on the copy.
 * The thread may be switched at every byte, and may never come back (a finding ends it): a text that has outgrown its
 * own bytes is therefore on a list, and evr_texts_release() frees what an execution left there.
 */
#ifndef EVR_LIBC_H
#define EVR_LIBC_H

#include "runtime/hooks.h"
#include "runtime/libc/file.h"
#include "runtime/runtime.h"
#include "runtime/sync/channel.h"

#include <pwd.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/*
 * A function of the library that nothing but its own wrapper calls. The reference is weak, so that a program may define
 * a function of that name: then the wrapper is never called.
 */
#define EVR_REAL(name) extern __typeof__(name) name __attribute__((weak))

struct evr_text {
	char *data; /* always followed by a 0 byte */
	size_t len, cap;
	struct evr_text_block *block; /* NULL while `small` is enough */
	char small[232];
};

void evr_text_init(struct evr_text *t);
void evr_text_release(struct evr_text *t);
/* Room for n more bytes; returns where they go. */
char *evr_text_reserve(struct evr_text *t, size_t n);
void evr_text_add(struct evr_text *t, const char *bytes, size_t n);
void evr_text_fill(struct evr_text *t, char c, size_t n);
/* Append the program's string, read as the program would: up to its terminator, at most `limit` bytes. */
void evr_text_string(struct evr_text *t, const char *s, size_t limit, const struct evr_site *site);
/* Append n bytes of program memory. */
void evr_text_bytes(struct evr_text *t, const void *p, size_t n, const struct evr_site *site);
/* A text that holds just this string. */
void evr_text_copy(struct evr_text *t, const char *s, const struct evr_site *site);

/* One byte of a string in program memory. */
static inline unsigned char evr_byte(const void *s, const struct evr_site *site)
{
	return evr_read1((void *)(uintptr_t)s, (void *)(uintptr_t)site);
}

#define EVR_SIGNALS 65 /* none has a higher number */

/*
 * Variables of the library that the program can read, or that order its calls: they are program memory, so that threads
 * which meet there are seen to.
 */
struct evr_library {
	uint64_t names;     /* read by whoever opens a file, changed by whoever creates or removes one */
	uint64_t input;     /* changed by whoever reads the standard input */
	uint64_t files[64]; /* changed by whoever uses a file that can be written */
	char *token;        /* where strtok() goes on */
	char *option;       /* where getopt() goes on, within an argument */
	struct tm time;
	char message[64], date[64];
	evr_value handlers[EVR_SIGNALS];         /* of signals, with their flags */
	char thread_names[EVR_MAX_THREADS][16]; /* "": the program's */
	evr_value limits[RLIM_NLIMITS];         /* what differs from the real ones */
	uint64_t scheduling[EVR_MAX_THREADS];   /* of each thread: policy and priority */
	int32_t priority;
	uint32_t channels[EVR_MAX_THREADS][EVR_CHANNELS]
			 [2]; /* locks of those that each thread has made: sync/channel.c */
	uint32_t polls[EVR_MAX_THREADS];        /* and of threads that poll */
	struct passwd user;
	char user_text[32];
};

extern struct evr_library evr_library;

/* An atomic access to a variable of the library, which orders the caller with all others that change it. */
void evr_library_touch(uint64_t *variable, bool change, const struct evr_site *site);

/* The same place, for an atomic access: the library's functions lock what they use, so that there is no data race. */
const struct evr_site *evr_atomic_site(const struct evr_site *site);

/* At the end of an execution: what it has left. */
void evr_texts_release(void);
/* The value of a variable of the environment, or NULL. */
char *evr_library_variable(const char *name, const struct evr_site *site);
/* A look at the clock of the thread: how much time has it used? */
struct timespec evr_time_used(void);
/* Memory of the program for a library function that allocates. */
void *evr_library_malloc(size_t size, const struct evr_site *site);
void evr_library_free(void *p, const struct evr_site *site);

/* string.c: what strerror() says. */
#define EVR_ERROR_TEXT 128
void evr_error_text(int number, char to[EVR_ERROR_TEXT]);

/* format.c: what printf(format, args) prints. */
void evr_format_text(struct evr_text *out, const char *format, va_list args, const struct evr_site *site);

#endif
