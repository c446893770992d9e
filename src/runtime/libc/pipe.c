/*
 * Pipes, pairs of sockets and eventfds within the process, and what is done with their descriptors. How threads wait for each other
 * there, sync/channel.c knows; here is which channel a descriptor belongs to.
 *
 * Invariant: a descriptor that nobody closes or changes while others use it is no memory that threads share.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#define PIPE_ROOM 65536
#define SOCKET_ROOM 212992

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- making ---- */

static struct evr_file *open_end(int flags, const struct evr_site *site)
{
	struct evr_file *f = evr_file_channel(flags);
	if (!f)
		evr_unsupported(site, "more than 1024 descriptors of a thread");
	return f;
}

static void write_ends(int ends[2], const struct evr_file *a, const struct evr_file *b, const struct evr_site *site)
{
	int copy[2] = { a->fd, b->fd };
	evr_access_write(ends, copy, sizeof(copy), site);
}

static int make_pipe(int ends[2], int flags, const struct evr_site *site)
{
	if (flags & ~(O_NONBLOCK | O_CLOEXEC))
		evr_unsupported(site, "pipe2 with flags other than O_NONBLOCK and O_CLOEXEC is not supported");
	struct evr_file *reader = open_end(O_RDONLY | flags, site), *writer = open_end(O_WRONLY | flags, site);
	reader->in = writer->out = evr_channel_new(reader->fd, PIPE_ROOM, site);
	write_ends(ends, reader, writer, site);
	return 0;
}

int evr_libc_pipe(int ends[2])
{
	return make_pipe(ends, 0, evr_call_site);
}

int evr_libc_pipe2(int ends[2], int flags)
{
	return make_pipe(ends, flags, evr_call_site);
}

int evr_libc_socketpair(int domain, int type, int protocol, int ends[2])
{
	const struct evr_site *site = evr_call_site;
	int flags = O_RDWR | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0);
	if (domain != AF_UNIX || (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM || protocol)
		evr_unsupported(site, "socketpair of anything but AF_UNIX and SOCK_STREAM is not supported");
	struct evr_file *a = open_end(flags, site), *b = open_end(flags, site);
	a->in = b->out = evr_channel_new(a->fd, SOCKET_ROOM, site);
	b->in = a->out = evr_channel_new(b->fd, SOCKET_ROOM, site);
	write_ends(ends, a, b, site);
	return 0;
}

int evr_libc_eventfd(unsigned count, int flags)
{
	const struct evr_site *site = evr_call_site;
	if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
		return fail(EINVAL);
	struct evr_file *f = open_end(O_RDWR | (flags & EFD_NONBLOCK ? O_NONBLOCK : 0), site);
	f->in = f->out = evr_channel_new(f->fd, 0, site);
	f->in->counts = true;
	f->in->by_one = flags & EFD_SEMAPHORE;
	if (count)
		evr_channel_add(f->in, count, false, site);
	return f->fd;
}

/* ---- using ---- */

void evr_channel_use(struct evr_file *f, bool change, const struct evr_site *site)
{
	evr_library_touch(&evr_library.files[f->inode->number % EVR_COUNT(evr_library.files)], change, site);
	if (f->closed)
		evr_fail("use-after-free", site, "a descriptor is used after another thread has closed it");
}

ssize_t evr_channel_read_to(struct evr_file *f, void *to, size_t n, bool wait, const struct evr_site *site)
{
	struct evr_text t;
	evr_channel_use(f, false, site);
	if (!f->in)
		return fail(EBADF);
	evr_text_init(&t);
	ssize_t got = evr_channel_read(f->in, &t, n, wait && !f->nonblocking, site);
	if (got > 0)
		evr_access_write_text(to, t.data, (size_t)got, site);
	int error = errno;
	evr_text_release(&t);
	errno = error;
	return got;
}

/* Where nobody is left to read, there is a signal, unless it is not wanted. */
static ssize_t broken(bool signals, const struct evr_site *site)
{
	evr_call_site = site;
	if (signals)
		evr_libc_raise(SIGPIPE);
	return fail(EPIPE);
}

ssize_t evr_channel_write_from(struct evr_file *f, const void *from, size_t n, bool wait, bool signals,
			       const struct evr_site *site)
{
	uint64_t count;
	struct evr_text t;
	evr_channel_use(f, false, site);
	wait = wait && !f->nonblocking;
	if (!f->out)
		return fail(EBADF);
	if (f->out->counts && n < sizeof(count))
		return fail(EINVAL);
	evr_text_init(&t);
	evr_text_bytes(&t, from, f->out->counts ? sizeof(count) : n, site);
	if (f->out->counts)
		memcpy(&count, t.data, sizeof(count));
	ssize_t done = f->out->counts ? evr_channel_add(f->out, count, wait, site)
				      : evr_channel_write(f->out, t.data, n, wait, site);
	int error = errno;
	evr_text_release(&t);
	errno = error;
	return done < 0 && error == EPIPE ? broken(signals, site) : done;
}

void evr_channel_close_file(struct evr_file *f, const struct evr_site *site)
{
	struct evr_channel *in = f->in, *out = f->out;
	evr_channel_use(f, true, site);
	evr_file_close(f);
	if (in == out) {
		evr_channel_close(in, true, true, site);
		return;
	}
	if (in)
		evr_channel_close(in, true, false, site);
	if (out)
		evr_channel_close(out, false, true, site);
}

static struct evr_file *channel_of(int fd)
{
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (f && f->inode->kind != EVR_FILE_CHANNEL) {
		errno = ENOTSOCK;
		return NULL;
	}
	return f;
}

ssize_t evr_libc_recv(int fd, void *to, size_t n, int flags)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = channel_of(fd);
	if (flags & ~MSG_DONTWAIT)
		evr_unsupported(site, "recv with flags other than MSG_DONTWAIT is not supported");
	return f ? evr_channel_read_to(f, to, n, !(flags & MSG_DONTWAIT), site) : -1;
}

ssize_t evr_libc_send(int fd, const void *from, size_t n, int flags)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = channel_of(fd);
	if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL))
		evr_unsupported(site, "send with flags other than MSG_DONTWAIT and MSG_NOSIGNAL is not supported");
	if (!f)
		return -1;
	return evr_channel_write_from(f, from, n, !(flags & MSG_DONTWAIT), !(flags & MSG_NOSIGNAL), site);
}

int evr_libc_eventfd_read(int fd, eventfd_t *to)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = channel_of(fd);
	return f && evr_channel_read_to(f, to, sizeof(*to), true, site) == sizeof(*to) ? 0 : -1;
}

int evr_libc_eventfd_write(int fd, eventfd_t count)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = channel_of(fd);
	if (!f)
		return -1;
	evr_channel_use(f, false, site);
	if (!f->out || !f->out->counts)
		return fail(EINVAL);
	return evr_channel_add(f->out, count, !f->nonblocking, site) < 0 ? -1 : 0;
}

/* ---- poll ---- */

/* Files are always ready. */
static void prepare(const struct pollfd *fd, struct evr_channel_poll *p, const struct evr_site *site)
{
	struct evr_file *f = fd->fd < 0 ? NULL : evr_file_of_descriptor(fd->fd);
	*p = (struct evr_channel_poll){ .events = fd->events };
	if (fd->fd < 0)
		return;
	if (!f)
		p->always = POLLNVAL;
	else if (f->inode->kind != EVR_FILE_CHANNEL)
		p->always = (short)(fd->events & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM));
	else
		evr_channel_use(f, false, site);
	p->in = f ? f->in : NULL;
	p->out = f ? f->out : NULL;
}

int evr_libc_poll(struct pollfd *descriptors, nfds_t count, int milliseconds)
{
	const struct evr_site *site = evr_call_site;
	struct pollfd copy[EVR_POLLED];
	struct evr_channel_poll polls[EVR_POLLED];
	if (milliseconds > 0)
		evr_libc_usleep((useconds_t)milliseconds * 1000u);
	if (!count && milliseconds >= 0)
		return 0;
	if (count > EVR_POLLED)
		evr_unsupported(site, "poll of more than %d descriptors is not supported", EVR_POLLED);
	evr_access_look(copy, descriptors, count * sizeof(*copy), site);
	for (nfds_t i = 0; i < count; i++)
		prepare(&copy[i], &polls[i], site);
	int ready = evr_channels_poll(polls, count, milliseconds, site);
	for (nfds_t i = 0; i < count; i++)
		copy[i].revents = polls[i].found;
	evr_access_write(descriptors, copy, count * sizeof(*copy), site);
	return ready;
}
