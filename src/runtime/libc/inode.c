/*
 * Names and contents of files. What a file is called can be the business of several threads: whoever looks a name up reads
 * the library's variable `names`, whoever creates, renames or removes a file changes it.
 *
 * Invariant: real files are read once in the life of the checker and never written, so every execution finds the same. A
 * path means what the execution's `file_names` say, if it has an entry, and the real file otherwise; what an execution has named or written is
 * gone with it.
 */
#include "runtime/libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A real file, looked at once in the life of the checker, so that every execution finds the same. */
struct original {
	char *path;
	int error; /* of open() for reading */
	struct evr_inode *inode;
};

/* A name that the program gave a file, or took away (inode == NULL), in this execution. */
struct evr_file_name {
	char *path;
	struct evr_inode *inode;
};

static EVR_LASTING EVR_VEC(struct original) originals;

void evr_inodes_release(void)
{
	for (size_t i = 0; i < evr_execution.file_names.len; i++)
		free(evr_execution.file_names.data[i].path);
	for (size_t i = 0; i < evr_execution.inodes.len; i++) {
		free(evr_execution.inodes.data[i]->data);
		free(evr_execution.inodes.data[i]);
	}
}

struct evr_inode *evr_inode_new(enum evr_file_kind kind)
{
	struct evr_inode *i = evr_alloc(sizeof(*i));
	i->kind = kind;
	i->number = (unsigned)evr_execution.inodes.len;
	evr_vec_push(&evr_execution.inodes, i);
	return i;
}

void evr_inode_reserve(struct evr_inode *i, size_t need)
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
		evr_inode_reserve(i, i->len + 65536);
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

static struct evr_file_name *find_name(const char *path)
{
	for (size_t i = 0; i < evr_execution.file_names.len; i++)
		if (!strcmp(evr_execution.file_names.data[i].path, path))
			return &evr_execution.file_names.data[i];
	return NULL;
}

static void set_name(const char *path, struct evr_inode *inode)
{
	struct evr_file_name *n = find_name(path);
	if (n)
		n->inode = inode;
	else
		evr_vec_push(&evr_execution.file_names, (struct evr_file_name){ evr_strdup(path), inode });
}

/* What a path means now; NULL with errno. */
static struct evr_inode *resolve(const char *path, const struct evr_site *site)
{
	const struct evr_file_name *n = find_name(path);
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
	struct evr_inode *fresh = evr_inode_new(EVR_FILE_MEMORY);
	if (old && !(flags & O_TRUNC)) {
		evr_inode_reserve(fresh, old->len + 1);
		memcpy(fresh->data, old->data, old->len);
		fresh->len = old->len;
	}
	set_name(path, fresh);
	return fresh;
}

struct evr_inode *evr_inode_open(const char *path, int flags, const struct evr_site *site)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
	evr_library_touch(&evr_library.names, writes, site);
	char *plain = normal(path);
	struct evr_inode *i = writes ? writable(plain, flags, site) : resolve(plain, site);
	free(plain);
	return i;
}

struct evr_inode *evr_inode_temporary(char *path, const struct evr_site *site)
{
	evr_library_touch(&evr_library.names, true, site);
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
		return writable(path, O_CREAT | O_RDWR, site);
	}
	errno = EEXIST;
	return NULL;
}

struct evr_inode *evr_inode_find(const char *path, const struct evr_site *site)
{
	return evr_inode_open(path, O_RDONLY, site);
}

void evr_inode_truncate(struct evr_inode *i, size_t n)
{
	evr_inode_reserve(i, n + 1);
	if (n > i->len)
		memset(i->data + i->len, 0, n - i->len);
	i->len = n;
}

int evr_path_rename(const char *from, const char *to, const struct evr_site *site)
{
	evr_library_touch(&evr_library.names, true, site);
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
