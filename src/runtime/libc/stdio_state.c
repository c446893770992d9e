/* The state of a stream: end and error, position, buffering, which there is none of, and locks. */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>

int evr_libc_fflush(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = stream ? evr_file_of(stream, "fflush", site) : NULL;
	if (f)
		evr_memory_flush(f, site);
	for (size_t i = 0; !stream && (f = evr_file_number(i)); i++)
		evr_memory_flush(f, site);
	return 0;
}

int evr_libc_feof(FILE *stream)
{
	return evr_file_of(stream, "feof", evr_call_site)->end;
}

int evr_libc_ferror(FILE *stream)
{
	return evr_file_of(stream, "ferror", evr_call_site)->error;
}

void evr_libc_clearerr(FILE *stream)
{
	struct evr_file *f = evr_file_of(stream, "clearerr", evr_call_site);
	f->end = f->error = false;
}

int evr_libc_fseeko(FILE *stream, off_t offset, int whence)
{
	return evr_file_seek(evr_stream_use(stream, "fseek", evr_call_site), offset, whence);
}

off_t evr_libc_ftello(FILE *stream)
{
	struct evr_file *f = evr_stream_use(stream, "ftell", evr_call_site);
	if (f->inode->kind == EVR_FILE_INPUT || f->inode->kind == EVR_FILE_OUTPUT) {
		errno = ESPIPE;
		return -1;
	}
	return (off_t)f->position - (off_t)f->pushed_count;
}

void evr_libc_rewind(FILE *stream)
{
	struct evr_file *f = evr_stream_use(stream, "rewind", evr_call_site);
	evr_file_seek(f, 0, SEEK_SET);
	f->error = false;
}

int evr_libc_fgetpos(FILE *stream, fpos_t *to)
{
	const struct evr_site *site = evr_call_site;
	long long at = evr_libc_ftello(stream);
	if (at < 0)
		return -1;
	evr_access_store((uintptr_t)to, sizeof(at), (uint64_t)at, site);
	return 0;
}

int evr_libc_fsetpos(FILE *stream, const fpos_t *from)
{
	const struct evr_site *site = evr_call_site;
	off_t at = (off_t)evr_access_load((uintptr_t)from, sizeof(at), site);
	return evr_file_seek(evr_stream_use(stream, "fsetpos", site), at, SEEK_SET);
}

int evr_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
	(void)buffer, (void)mode, (void)size;
	evr_file_of(stream, "setvbuf", evr_call_site);
	return 0;
}

void evr_libc_setbuf(FILE *stream, char *buffer)
{
	(void)buffer;
	evr_file_of(stream, "setbuf", evr_call_site);
}

void evr_libc_setbuffer(FILE *stream, char *buffer, size_t size)
{
	(void)buffer, (void)size;
	evr_file_of(stream, "setbuffer", evr_call_site);
}

void evr_libc_setlinebuf(FILE *stream)
{
	evr_file_of(stream, "setlinebuf", evr_call_site);
}

/* Every single operation is atomic, but a sequence of them is not made so. */
void evr_libc_flockfile(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	if (evr_rt.world.threads > 1 && evr_file_of(stream, "flockfile", site)->inode->kind != EVR_FILE_OUTPUT)
		evr_unsupported(site, "flockfile in a program with several threads is not supported");
}

void evr_libc_funlockfile(FILE *stream)
{
	(void)stream;
}
