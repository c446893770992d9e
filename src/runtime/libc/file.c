/*
 * Files as the program sees them; libc.h says what becomes of its writes. What a file is called and what it holds can be
 * the business of several threads: whoever opens reads the variable `names` of the library, whoever creates, renames or
 * removes changes it, and whoever uses a file that can be written changes that file's variable.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUT_LIMIT (UINT64_C(1) << 20)
#define OUTPUT_CUT "\n[output cut]\n"
/* Descriptors are numbered by each thread for itself. */
#define DESCRIPTORS 1024

/* A real file, looked at once in the life of the checker, so that every execution finds the same. */
struct original {
	char *path;
	int error; /* of open() for reading */
	struct evr_inode *inode;
};

/* A name that the program gave a file, or took away (inode == NULL), in this execution. */
struct name {
	char *path;
	struct evr_inode *inode;
};

static EVR_VEC(struct original) originals;
static EVR_VEC(struct name) names;
static EVR_VEC(struct evr_inode *) inodes; /* of this execution */
static EVR_VEC(struct evr_file *) files;   /* open */
static EVR_VEC(struct evr_file *) closed;  /* kept, because a thread may be about to use one */
static struct evr_file standard[3];
static struct evr_inode standard_input = { .kind = EVR_FILE_INPUT };
static struct evr_inode standard_output = { .kind = EVR_FILE_OUTPUT };
static bool input_ended;
static bool idle; /* no file was used in this execution */

static void free_file(struct evr_file *f)
{
	free(f->memory);
	free(f);
}

void evr_files_release(void)
{
	if (idle)
		return;
	idle = true;
	for (size_t i = 0; i < files.len; i++)
		free_file(files.data[i]);
	for (size_t i = 0; i < closed.len; i++)
		free_file(closed.data[i]);
	for (size_t i = 0; i < names.len; i++)
		free(names.data[i].path);
	for (size_t i = 0; i < inodes.len; i++) {
		free(inodes.data[i]->data);
		free(inodes.data[i]);
	}
	evr_vec_clear(&files);
	evr_vec_clear(&closed);
	evr_vec_clear(&names);
	evr_vec_clear(&inodes);
	standard[0] = (struct evr_file){ .inode = &standard_input, .stream = stdin, .fd = 0, .readable = true };
	standard[1] = (struct evr_file){ .inode = &standard_output, .stream = stdout, .fd = 1, .writable = true };
	standard[2] = (struct evr_file){ .inode = &standard_output, .stream = stderr, .fd = 2, .writable = true };
}

static struct evr_inode *new_inode(enum evr_file_kind kind)
{
	struct evr_inode *i = evr_alloc(sizeof(*i));
	i->kind = kind;
	i->number = (unsigned)inodes.len;
	evr_vec_push(&inodes, i);
	return i;
}

static void reserve(struct evr_inode *i, size_t need)
{
	if (need <= i->cap)
		return;
	i->cap = i->cap * 2 > need ? i->cap * 2 : need;
	i->data = evr_realloc(i->data, i->cap);
}

/* One spelling of a path: without "./" and "//". */
static char *normal(const char *path)
{
	char *copy = evr_strdup(path), *to = copy;
	for (const char *from = path; *from;) {
		bool start = to == copy || to[-1] == '/';
		if (start && from[0] == '.' && from[1] == '/')
			from += 2;
		else if (start && to != copy && from[0] == '/')
			from++;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return copy;
}

static void read_all(struct evr_inode *i, int fd, const char *path)
{
	for (;;) {
		reserve(i, i->len + 65536);
		ssize_t n = read(fd, i->data + i->len, i->cap - i->len);
		if (n < 0 && errno != EINTR)
			evr_die("cannot read '%s': %s", path, strerror(errno));
		if (n == 0)
			return;
		if (n > 0)
			i->len += (size_t)n;
	}
}

static void look_at(struct original *o, const struct evr_site *site)
{
	struct stat st;
	int fd = open(o->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st)) {
		o->error = errno;
		return;
	}
	o->inode = evr_alloc(sizeof(*o->inode));
	o->inode->status = evr_alloc(sizeof(st));
	memcpy((void *)(uintptr_t)o->inode->status, &st, sizeof(st));
	if (!strcmp(o->path, "/dev/null")) {
		o->inode->kind = EVR_FILE_NULL;
	} else if (S_ISDIR(st.st_mode)) {
		o->inode->kind = EVR_FILE_FOLDER;
	} else if (S_ISREG(st.st_mode)) {
		o->inode->kind = EVR_FILE_REAL;
		read_all(o->inode, fd, o->path);
	} else {
		evr_unsupported(site, "the program opens '%s', which is not a regular file", o->path);
	}
	close(fd);
}

static struct original *original(const char *path, const struct evr_site *site)
{
	for (size_t i = 0; i < originals.len; i++)
		if (!strcmp(originals.data[i].path, path))
			return &originals.data[i];
	evr_vec_push(&originals, (struct original){ .path = evr_strdup(path) });
	look_at(&evr_vec_last(&originals), site);
	return &evr_vec_last(&originals);
}

static struct name *find_name(const char *path)
{
	for (size_t i = 0; i < names.len; i++)
		if (!strcmp(names.data[i].path, path))
			return &names.data[i];
	return NULL;
}

static void set_name(const char *path, struct evr_inode *inode)
{
	struct name *n = find_name(path);
	if (n)
		n->inode = inode;
	else
		evr_vec_push(&names, (struct name){ evr_strdup(path), inode });
}

/* What a path means now; NULL with errno. */
static struct evr_inode *resolve(const char *path, const struct evr_site *site)
{
	const struct name *n = find_name(path);
	const struct original *o = n ? NULL : original(path, site);
	struct evr_inode *i = n ? n->inode : o->inode;
	if (!i)
		errno = n ? ENOENT : o->error;
	return i;
}

/* Would the real file system let the program write there? */
static bool may_write(const char *path, bool create)
{
	if (access(path, F_OK) == 0)
		return access(path, W_OK) == 0;
	if (!create)
		return false;
	char *folder = evr_strdup(path), *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	bool may = access(slash ? folder : ".", W_OK | X_OK) == 0;
	free(folder);
	return may;
}

/* The contents that a writer of `path` works on: a copy of the real file, or a new one. */
static struct evr_inode *writable(const char *path, int flags, const struct evr_site *site)
{
	struct evr_inode *old = resolve(path, site);
	if (old && old->kind == EVR_FILE_FOLDER) {
		errno = EISDIR;
		return NULL;
	}
	if (old && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
		errno = EEXIST;
		return NULL;
	}
	if (old && old->kind == EVR_FILE_MEMORY) {
		if (flags & O_TRUNC)
			old->len = 0;
		return old;
	}
	if (old && old->kind == EVR_FILE_NULL)
		return old;
	if ((!old && !(flags & O_CREAT)) || (!find_name(path) && !may_write(path, flags & O_CREAT)))
		return NULL;
	struct evr_inode *fresh = new_inode(EVR_FILE_MEMORY);
	if (old && !(flags & O_TRUNC)) {
		reserve(fresh, old->len + 1);
		memcpy(fresh->data, old->data, old->len);
		fresh->len = old->len;
	}
	set_name(path, fresh);
	return fresh;
}

static int new_descriptor(void)
{
	int first = evr_current->id ? evr_current->id * DESCRIPTORS : 3;
	for (int fd = first; fd < (evr_current->id + 1) * DESCRIPTORS; fd++) {
		bool used = false;
		for (size_t i = 0; i < files.len && !used; i++)
			used = files.data[i]->fd == fd;
		if (!used)
			return fd;
	}
	errno = EMFILE;
	return -1;
}

static struct evr_file *new_file(struct evr_inode *inode, int flags)
{
	int fd = new_descriptor();
	if (fd < 0)
		return NULL;
	struct evr_file *f = evr_alloc(sizeof(*f));
	f->inode = inode;
	f->fd = fd;
	f->readable = (flags & O_ACCMODE) != O_WRONLY;
	f->writable = (flags & O_ACCMODE) != O_RDONLY;
	f->append = flags & O_APPEND;
	evr_vec_push(&files, f);
	return f;
}

static void touch(uint64_t *variable, bool change, const struct evr_site *site)
{
	if (change)
		evr_access_rmw((uintptr_t)variable, sizeof(*variable), 1, EVR_RMW_ADD, evr_atomic_site(site));
	else
		evr_access_load((uintptr_t)variable, sizeof(*variable), evr_atomic_site(site));
}

int evr_file_mode(const char *mode)
{
	int flags;
	switch (mode[0]) {
	case 'r':
		flags = O_RDONLY;
		break;
	case 'w':
		flags = O_WRONLY | O_CREAT | O_TRUNC;
		break;
	case 'a':
		flags = O_WRONLY | O_CREAT | O_APPEND;
		break;
	default:
		return -1;
	}
	for (const char *p = mode + 1; *p && *p != ','; p++) {
		if (*p == '+')
			flags = (flags & ~O_ACCMODE) | O_RDWR;
		if (*p == 'x')
			flags |= O_EXCL;
	}
	return flags;
}

struct evr_file *evr_file_open(const char *path, int flags, const struct evr_site *site)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
	idle = false;
	touch(&evr_library.names, writes, site);
	char *plain = normal(path);
	struct evr_inode *i = writes ? writable(plain, flags, site) : resolve(plain, site);
	free(plain);
	return i ? new_file(i, flags) : NULL;
}

struct evr_file *evr_file_temporary(char *path, const struct evr_site *site)
{
	idle = false;
	touch(&evr_library.names, true, site);
	size_t n = strlen(path);
	if (n < 6 || strcmp(path + n - 6, "XXXXXX") != 0) {
		errno = EINVAL;
		return NULL;
	}
	/* The first name that is free: the names changed by others are ordered with this by `names`. */
	for (unsigned k = 0; k < 1000000; k++) {
		char digits[16];
		snprintf(digits, sizeof(digits), "%06u", k);
		memcpy(path + n - 6, digits, 6);
		if (resolve(path, site) || errno != ENOENT)
			continue;
		struct evr_inode *i = writable(path, O_CREAT | O_RDWR, site);
		return i ? new_file(i, O_RDWR) : NULL;
	}
	errno = EEXIST;
	return NULL;
}

struct evr_file *evr_file_anonymous(const char *bytes, size_t n, int flags)
{
	idle = false;
	struct evr_inode *i = new_inode(EVR_FILE_MEMORY);
	reserve(i, n + 1);
	memcpy(i->data, bytes, n);
	i->len = n;
	struct evr_file *f = new_file(i, flags);
	if (f)
		f->fd = -1;
	return f;
}

struct evr_inode *evr_file_find(const char *path, const struct evr_site *site)
{
	idle = false;
	touch(&evr_library.names, false, site);
	char *plain = normal(path);
	struct evr_inode *i = resolve(plain, site);
	free(plain);
	return i;
}

struct evr_file *evr_file_number(size_t i)
{
	return i < files.len ? files.data[i] : NULL;
}

void evr_file_truncate(struct evr_inode *i, size_t n)
{
	reserve(i, n + 1);
	if (n > i->len)
		memset(i->data + i->len, 0, n - i->len);
	i->len = n;
}

struct evr_file *evr_file_of(FILE *stream, const char *function, const struct evr_site *site)
{
	idle = false;
	for (size_t i = 0; i < EVR_COUNT(standard); i++)
		if (standard[i].stream == stream && stream)
			return &standard[i];
	for (size_t i = 0; i < files.len; i++)
		if (files.data[i]->stream == stream && stream)
			return files.data[i];
	char *message = NULL;
	const char *kind = evr_access_problem((uintptr_t)stream, sizeof(uint64_t), false, &message);
	if (kind)
		evr_fail(kind, site, "%s: %s", function, message);
	evr_fail("invalid-access", site, "%s of what is not an open file", function);
}

struct evr_file *evr_file_of_descriptor(int fd)
{
	idle = false;
	for (size_t i = 0; i < EVR_COUNT(standard); i++)
		if (standard[i].fd == fd)
			return &standard[i];
	for (size_t i = 0; i < files.len; i++)
		if (files.data[i]->fd == fd)
			return files.data[i];
	errno = EBADF;
	return NULL;
}

void evr_file_close(struct evr_file *f)
{
	f->fd = -1;
	f->readable = f->writable = false;
	for (size_t i = 0; i < files.len; i++)
		if (files.data[i] == f) {
			files.data[i] = evr_vec_last(&files);
			files.len--;
			evr_vec_push(&closed, f);
			f->closed = true;
			return;
		}
}

void evr_file_use(struct evr_file *f, const struct evr_site *site)
{
	switch (f->inode->kind) {
	case EVR_FILE_INPUT:
		touch(&evr_library.input, true, site);
		break;
	case EVR_FILE_MEMORY:
		touch(&evr_library.files[f->inode->number % EVR_COUNT(evr_library.files)], true, site);
		break;
	case EVR_FILE_REAL:
	case EVR_FILE_FOLDER:
		if (f->stream)
			touch((uint64_t *)f->stream, true, site);
		break;
	case EVR_FILE_OUTPUT:
	case EVR_FILE_NULL:
		break;
	}
	if (f->closed)
		evr_fail("use-after-free", site, "a file is used after another thread has closed it");
}

/* The standard input is read as far as the program needs it, and kept: later executions find it there. */
static void read_input(struct evr_inode *i, size_t until)
{
	while (!input_ended && i->len < until) {
		reserve(i, i->len + 4096);
		ssize_t n = read(0, i->data + i->len, 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			input_ended = true;
		else
			i->len += (size_t)n;
	}
}

size_t evr_file_peek(struct evr_file *f, const char **p, size_t n)
{
	struct evr_inode *i = f->inode;
	if (!f->readable || i->kind == EVR_FILE_FOLDER) {
		errno = f->readable ? EISDIR : EBADF;
		f->error = true;
		return 0;
	}
	if (i->kind == EVR_FILE_INPUT)
		read_input(i, n > SIZE_MAX - f->position ? SIZE_MAX : f->position + n);
	size_t left = f->position < i->len ? i->len - f->position : 0;
	*p = left ? i->data + f->position : "";
	return left < n ? left : n;
}

int evr_file_getc(struct evr_file *f)
{
	const char *p;
	if (f->pushed_count)
		return f->pushed[--f->pushed_count];
	if (!evr_file_peek(f, &p, 1)) {
		f->end = !f->error;
		return EOF;
	}
	f->position++;
	return (unsigned char)*p;
}

size_t evr_file_take(struct evr_file *f, struct evr_text *t, size_t n)
{
	const char *p;
	while (f->pushed_count && t->len < n)
		evr_text_fill(t, (char)f->pushed[--f->pushed_count], 1);
	size_t k = t->len < n ? evr_file_peek(f, &p, n - t->len) : 0;
	if (k)
		evr_text_add(t, p, k);
	f->position += k;
	return t->len;
}

static void print(const char *bytes, size_t n)
{
	struct evr_strbuf *out = &evr_execution.output;
	if (out->len >= OUTPUT_LIMIT)
		return;
	size_t room = OUTPUT_LIMIT - out->len;
	evr_strbuf_add(out, bytes, n < room ? n : room);
	if (n >= room)
		evr_strbuf_puts(out, OUTPUT_CUT);
}

bool evr_file_write(struct evr_file *f, const char *bytes, size_t n)
{
	struct evr_inode *i = f->inode;
	if (!f->writable) {
		errno = EBADF;
		f->error = true;
		return false;
	}
	if (i->kind == EVR_FILE_OUTPUT)
		print(bytes, n);
	if (i->kind != EVR_FILE_MEMORY || !n)
		return true;
	if (f->append)
		f->position = i->len;
	reserve(i, f->position + n);
	if (f->position > i->len)
		memset(i->data + i->len, 0, f->position - i->len);
	memcpy(i->data + f->position, bytes, n);
	f->position += n;
	if (f->position > i->len)
		i->len = f->position;
	return true;
}

int evr_file_seek(struct evr_file *f, long long offset, int whence)
{
	struct evr_inode *i = f->inode;
	if (i->kind == EVR_FILE_INPUT || i->kind == EVR_FILE_OUTPUT) {
		errno = ESPIPE;
		return -1;
	}
	long long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long long)f->position : (long long)i->len;
	if (whence < 0 || whence > SEEK_END || base + offset < 0) {
		errno = EINVAL;
		return -1;
	}
	if (whence == SEEK_CUR)
		base -= f->pushed_count;
	f->position = (size_t)(base + offset);
	f->pushed_count = 0;
	f->end = false;
	return 0;
}

int evr_file_rename(const char *from, const char *to, const struct evr_site *site)
{
	idle = false;
	touch(&evr_library.names, true, site);
	char *source = normal(from), *target = to ? normal(to) : NULL;
	struct evr_inode *i = resolve(source, site);
	int result = -1;
	if (i && (i->kind == EVR_FILE_FOLDER || i->kind == EVR_FILE_NULL)) {
		errno = i->kind == EVR_FILE_FOLDER ? EISDIR : EACCES;
	} else if (i) {
		set_name(source, NULL);
		if (target)
			set_name(target, i);
		result = 0;
	}
	free(source);
	free(target);
	return result;
}
