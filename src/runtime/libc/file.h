/*
 * Files. Real files are read once in the life of the checker; what the program writes stays in memory, is seen by whoever
 * opens the file later in the same execution, and is gone with it. Included by libc.h.
 */
#ifndef EVR_FILE_H
#define EVR_FILE_H

#include "base/base.h"

#include <stdio.h>
#include <sys/stat.h>

struct evr_site;
struct evr_text;

enum evr_file_kind {
	EVR_FILE_INPUT,  /* standard input */
	EVR_FILE_OUTPUT, /* standard output and error: kept for the report */
	EVR_FILE_NULL,   /* /dev/null */
	EVR_FILE_REAL,   /* the contents of a real file, never changed */
	EVR_FILE_MEMORY, /* created or changed by the program */
	EVR_FILE_FOLDER,
	EVR_FILE_CHANNEL, /* pipes and the like: sync/channel.h. Only descriptor.c and channel.c know them */
};

/* The contents of a file. */
struct evr_inode {
	enum evr_file_kind kind;
	unsigned number; /* among those of this execution: says which of the library's variables orders its users */
	char *data; /* len bytes, room for cap; changed only if it is of EVR_FILE_MEMORY, or is input that grows */
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
	int fd; /* -1: none */
	bool readable, writable, append;
	bool end, error; /* what feof() and ferror() say */
	bool closed; /* nobody may use it any more */
	size_t position; /* of the next byte, but for those pushed back; may be beyond the end of the contents */
	int pushed[8]; /* back by ungetc(): read first, the last one first */
	unsigned pushed_count;
	struct evr_memory_stream *memory; /* NULL: none */
	struct evr_channel *in, *out; /* of an EVR_FILE_CHANNEL: where it reads and writes, or NULL */
	bool nonblocking;
};

/* pipe.c: descriptors of an EVR_FILE_CHANNEL. */

/* The thread uses it; or closes it, or changes how it is used. Other threads that do so come before or after. */
void evr_channel_use(struct evr_file *f, bool change, const struct evr_site *site);
ssize_t evr_channel_read_to(struct evr_file *f, void *to, size_t n, bool wait, const struct evr_site *site);
ssize_t evr_channel_write_from(struct evr_file *f, const void *from, size_t n, bool wait, bool signals,
			       const struct evr_site *site);
void evr_channel_close_file(struct evr_file *f, const struct evr_site *site);

/* inode.c: names and contents. */

void evr_inodes_release(void); /* at the end of an execution */
struct evr_inode *evr_inode_new(enum evr_file_kind kind);
/* Room for `need` bytes in all. */
void evr_inode_reserve(struct evr_inode *i, size_t need);
/* Set the length. */
void evr_inode_truncate(struct evr_inode *i, size_t n);
/* The file that has this name now, or NULL with errno. */
struct evr_inode *evr_inode_find(const char *path, const struct evr_site *site);
/* The same with the flags of open(): it may be created, emptied, or copied to be changed. */
struct evr_inode *evr_inode_open(const char *path, int flags, const struct evr_site *site);
/* A new one; the last six characters of the path, "XXXXXX", become those of its name. */
struct evr_inode *evr_inode_temporary(char *path, const struct evr_site *site);
/* Give the file another name, or none if `to` is NULL; -1 with errno. */
int evr_path_rename(const char *from, const char *to, const struct evr_site *site);

/* file.c: open files. */

void evr_files_release(void); /* at the end of an execution */
/* "r", "w+", ... as flags of open(); -1 if it is no mode. */
int evr_file_mode(const char *mode);
/* A new open file, or NULL with errno. */
struct evr_file *evr_file_open(const char *path, int flags, const struct evr_site *site);
struct evr_file *evr_file_temporary(char *path, const struct evr_site *site);
/* One without a name, that holds these bytes. */
struct evr_file *evr_file_anonymous(const char *bytes, size_t n, int flags);
/* An end of channels, which has to be told which. */
struct evr_file *evr_file_channel(int flags);
/* The open file of this number, for whoever wants all; NULL behind the last. */
struct evr_file *evr_file_number(size_t i);
/* Ends the thread with a finding if the stream is not open. */
struct evr_file *evr_file_of(FILE *stream, const char *function, const struct evr_site *site);
struct evr_file *evr_file_of_descriptor(int fd); /* NULL with errno */
void evr_file_close(struct evr_file *f);
/* From here on the thread uses the file: another that uses it does so before or after. */
void evr_file_use(struct evr_file *f, const struct evr_site *site);
/* Both: the stream's file, from here on used by the thread. */
struct evr_file *evr_stream_use(FILE *stream, const char *function, const struct evr_site *site);
/* Up to n bytes from the file's position on; *p is valid until the next use. */
size_t evr_file_peek(struct evr_file *f, const char **p, size_t n);
int evr_file_getc(struct evr_file *f);
/* Append up to n bytes, those that were pushed back first; returns how many there are. */
size_t evr_file_take(struct evr_file *f, struct evr_text *t, size_t n);
/* False with errno, and f->error, if it cannot be written. */
bool evr_file_write(struct evr_file *f, const char *bytes, size_t n);
int evr_file_seek(struct evr_file *f, long long offset, int whence);

/* memstream.c: what was written becomes visible in the program's memory. */
void evr_memory_flush(struct evr_file *f, const struct evr_site *site);

/* stdio.c: what the program holds of an open file; NULL if the file is. */
FILE *evr_stream_new(struct evr_file *f, const struct evr_site *site);

#endif
