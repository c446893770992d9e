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
#include "runtime/runtime.h"

#include <stdio.h>
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
};

extern struct evr_library evr_library;

/* The same place, for an atomic access: the library's functions lock what they use, so that there is no data race. */
const struct evr_site *evr_atomic_site(const struct evr_site *site);

/* At the end of an execution: what it has left. */
void evr_texts_release(void);
void evr_files_release(void);
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

/*
 * file.c: open files. Real files are read once in the life of the checker; what the program writes stays in
 * memory, is seen by whoever opens the file later in the same execution, and is gone with it.
 */
enum evr_file_kind {
	EVR_FILE_INPUT,  /* standard input */
	EVR_FILE_OUTPUT, /* standard output and error: kept for the report */
	EVR_FILE_NULL,   /* /dev/null */
	EVR_FILE_REAL,   /* the contents of a real file, never changed */
	EVR_FILE_MEMORY, /* created or changed by the program */
	EVR_FILE_FOLDER,
};

/* The contents of a file. */
struct evr_inode {
	enum evr_file_kind kind;
	unsigned number;
	char *data;
	size_t len, cap;
	const struct stat *status; /* of a real file, as it was found; else NULL */
};

/* What a stream in the program's memory reads or writes: fmemopen() with a buffer, or open_memstream() with pointers. */
struct evr_memory_stream {
	char *buffer;
	size_t room; /* of the buffer; 0: what is written goes to memory that grows */
	char **where; /* NULL: the buffer is the program's own */
	size_t *length;
};

struct evr_file {
	struct evr_inode *inode;
	FILE *stream; /* what the program holds; NULL if it only has the descriptor */
	int fd;
	bool readable, writable, append;
	bool end, error, closed;
	size_t position;
	int pushed[8]; /* ungetc() */
	unsigned pushed_count;
	struct evr_memory_stream *memory; /* NULL: none */
};

/* "r", "w+", ... as flags of open(); -1 if it is no mode. */
int evr_file_mode(const char *mode);
/* A new open file, or NULL with errno. */
struct evr_file *evr_file_open(const char *path, int flags, const struct evr_site *site);
struct evr_file *evr_file_temporary(char *path, const struct evr_site *site);
/* One without a name, that holds these bytes. */
struct evr_file *evr_file_anonymous(const char *bytes, size_t n, int flags);
/* The file that has this name now, or NULL with errno. */
struct evr_inode *evr_file_find(const char *path, const struct evr_site *site);
/* The open file of this number, for whoever wants all; NULL behind the last. */
struct evr_file *evr_file_number(size_t i);
/* Set the length. */
void evr_file_truncate(struct evr_inode *i, size_t n);
/* Both end the thread with a finding if it is not open. */
struct evr_file *evr_file_of(FILE *stream, const char *function, const struct evr_site *site);
struct evr_file *evr_file_of_descriptor(int fd); /* NULL with errno */
void evr_file_close(struct evr_file *f);
/* From here on the thread uses the file: another that uses it does so before or after. */
void evr_file_use(struct evr_file *f, const struct evr_site *site);
/* Up to n bytes from the file's position on; *p is valid until the next use. */
size_t evr_file_peek(struct evr_file *f, const char **p, size_t n);
int evr_file_getc(struct evr_file *f);
/* Append up to n bytes, those that were pushed back first; returns how many there are. */
size_t evr_file_take(struct evr_file *f, struct evr_text *t, size_t n);
/* False with errno, and f->error, if it cannot be written. */
bool evr_file_write(struct evr_file *f, const char *bytes, size_t n);
int evr_file_seek(struct evr_file *f, long long offset, int whence);
/* Give the file another name, or none if `to` is NULL; -1 with errno. */
int evr_file_rename(const char *from, const char *to, const struct evr_site *site);

/* memstream.c: what was written becomes visible in the program's memory. */
void evr_memory_flush(struct evr_file *f, const struct evr_site *site);

#endif
