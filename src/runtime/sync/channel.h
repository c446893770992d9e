/*
 * What threads of the program send each other through descriptors: pipes, pairs of sockets (a channel for each direction), counters of
 * eventfd(). In the native memory of one execution; only its locks are events.
 */
#ifndef EVR_CHANNEL_H
#define EVR_CHANNEL_H

#include "base/vec.h"
#include "event/event.h"

#include <poll.h>
#include <sys/types.h>

struct evr_site;
struct evr_text;

#define EVR_POLLED 16 /* descriptors at once */
#define EVR_CHANNELS 64 /* that a thread can make in an execution */

struct evr_channel {
	uintptr_t lock; /* guards the rest; behind it is one that is held while there is nothing to read */
	int fd; /* of its reader at first */
	evr_thread_id maker;
	bool counts, by_one; /* an eventfd; with EFD_SEMAPHORE */
	unsigned readers, writers; /* descriptors */
	uint64_t count; /* of an eventfd */
	char *data; /* of the others: len bytes, those written first in front */
	size_t len, cap, most; /* `most`: no more fit in */
	EVR_VEC(evr_thread_id) polled; /* by whom who sleeps */
};

/* An empty one with a reader and a writer. */
struct evr_channel *evr_channel_new(int fd, size_t most, const struct evr_site *site);
void evr_channels_release(void); /* at the end of an execution */
/* As read() and write() of the descriptor: how many bytes, or -1 with errno. */
ssize_t evr_channel_read(struct evr_channel *c, struct evr_text *to, size_t n, bool wait, const struct evr_site *site);
ssize_t evr_channel_write(struct evr_channel *c, const char *from, size_t n, bool wait, const struct evr_site *site);
ssize_t evr_channel_add(struct evr_channel *c, uint64_t count, bool wait, const struct evr_site *site);
void evr_channel_close(struct evr_channel *c, bool reader, bool writer, const struct evr_site *site);

/* What poll() asks of a descriptor, and is told. */
struct evr_channel_poll {
	struct evr_channel *in, *out; /* NULL: it cannot be read, or written */
	short always; /* this is true of it besides */
	short events, found;
};
/* How many have found something; waits as long as none has, if it may and its time does not run out. */
int evr_channels_poll(struct evr_channel_poll *p, size_t n, int milliseconds, const struct evr_site *site);

/* For reports: which one has this lock. */
struct evr_strbuf;
void evr_channel_name(struct evr_strbuf *out, unsigned lock, uintptr_t address);

#endif
