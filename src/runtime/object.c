/*
 * The program as its objects describe it: globals, thread-local variables, constructors, callees. Also what is not
 * described: memory of libraries that were compiled without hooks, which the program may use but others cannot race on.
 *
 * Invariant: once evr_objects_init() has returned, the tables are sorted, and nothing changes them any more.
 */
#include "runtime/coverage.h"
#include "runtime/hooks.h"
#include "runtime/libc/libc.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/orders.h"
#include "runtime/runtime.h"

#include <errno.h>
#include <getopt.h>
#include <link.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

EVR_REAL(optarg);
EVR_REAL(optind);
EVR_REAL(opterr);
EVR_REAL(optopt);

static EVR_LASTING struct evr_object *objects;
static EVR_LASTING EVR_VEC(const struct evr_variable *) variables; /* by address */
static EVR_LASTING EVR_VEC(struct evr_tls *) thread_locals;        /* by offset */
static EVR_LASTING uint64_t tls_size;
static EVR_LASTING EVR_VEC(struct evr_constructor) constructors; /* by priority */

struct module {
	uintptr_t base, start, end; /* loaded at base; one segment */
	unsigned number;
	bool watched; /* holds instrumented code */
	bool code;
	bool writable;
	bool system; /* of the C library and the loader, whose memory is their own */
};
static EVR_LASTING EVR_VEC(struct module) modules;
/* Thread-local variables of libraries, and parts of modules that cannot be written once they are loaded. */
static EVR_LASTING EVR_VEC(struct evr_range) foreign_locals, read_only;

void evr_object_register(void *object)
{
	struct evr_object *o = object;
	o->next = objects;
	objects = o;
}

unsigned evr_objects_flags(void)
{
	uint64_t flags = 0;
	for (const struct evr_object *o = objects; o; o = o->next)
		flags |= o->flags;
	return (unsigned)flags;
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)(*(struct evr_variable *const *)a)->address;
	uintptr_t y = (uintptr_t)(*(struct evr_variable *const *)b)->address;
	return x < y ? -1 : x > y;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *counter)
{
	(void)size;
	unsigned number = (*(unsigned *)counter)++;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD)
			evr_vec_push(&modules, ((struct module){ .base = info->dlpi_addr,
								 .start = start,
								 .end = start + p->p_memsz,
								 .number = number,
								 .watched = number == 0,
								 .code = p->p_flags & PF_X,
								 .writable = p->p_flags & PF_W }));
		else if (p->p_type == PT_GNU_RELRO)
			evr_vec_push(&read_only, ((struct evr_range){ start, p->p_memsz }));
		else if (p->p_type == PT_TLS && info->dlpi_tls_data && number)
			evr_vec_push(&foreign_locals,
				     ((struct evr_range){ (uintptr_t)info->dlpi_tls_data, p->p_memsz }));
	}
	return 0;
}

static struct module *module_of(uintptr_t address)
{
	for (size_t i = 0; i < modules.len; i++)
		if (address >= modules.data[i].start && address < modules.data[i].end)
			return &modules.data[i];
	return NULL;
}

uintptr_t evr_module_base(uintptr_t address, unsigned *number)
{
	const struct module *m = module_of(address);
	*number = m ? m->number : 0;
	return m ? m->base : 0;
}

bool evr_module_code(uintptr_t address)
{
	const struct module *m = module_of(address);
	return m && m->code;
}

uintptr_t evr_module_number_base(unsigned number)
{
	for (size_t i = 0; i < modules.len; i++)
		if (modules.data[i].number == number)
			return modules.data[i].base;
	return 0;
}

static bool within(const struct evr_range *r, uintptr_t address, size_t size)
{
	return address - r->address < r->size && size <= r->size - (address - r->address);
}

static void mark_system(uintptr_t address)
{
	const struct module *m = module_of(address);
	for (size_t i = 0; m && m->number && i < modules.len; i++)
		if (modules.data[i].number == m->number)
			modules.data[i].system = true;
}

/* The C library's own thread-local variables, errno among them, are the last thing that a program may write as it likes. */
static void forget_system_locals(void)
{
	uintptr_t error = (uintptr_t)&errno;
	for (size_t i = 0; i < foreign_locals.len;) {
		if (within(&foreign_locals.data[i], error, sizeof(errno)))
			foreign_locals.data[i] = evr_vec_last(&foreign_locals), foreign_locals.len--;
		else
			i++;
	}
	evr_vec_push(&foreign_locals, ((struct evr_range){ error, sizeof(errno) }));
	evr_vec_push(&foreign_locals, ((struct evr_range){ (uintptr_t)&h_errno, sizeof(h_errno) }));
}

static bool in_any(const struct evr_range *ranges, size_t n, uintptr_t address, size_t size)
{
	for (size_t i = 0; i < n; i++)
		if (within(&ranges[i], address, size))
			return true;
	return false;
}

/* errno and the like: thread-local storage of this one process thread, and what libc allocated for itself. */
static bool foreign_local(uintptr_t address, size_t size, bool write)
{
	uintptr_t tcb = (uintptr_t)__builtin_thread_pointer();
	if (write)
		return in_any(foreign_locals.data, foreign_locals.len, address, size);
	return address - (tcb - 65536) < 2 * 65536 && size < 2 * 65536;
}

bool evr_foreign(uintptr_t address, size_t size, bool write)
{
	const struct module *m = module_of(address);
	if (m && write && (m->system || !m->writable || in_any(read_only.data, read_only.len, address, 1)))
		return false;
	if (m)
		return !m->watched && size <= m->end - address;
	/* Other threads' machine stacks are nobody's. */
	for (unsigned i = 0; i < evr_rt.thread_count; i++)
		if (evr_coroutine_has(&evr_rt.threads[i]->coroutine, address))
			return false;
	return foreign_local(address, size, write);
}

const char *evr_foreign_owner(uintptr_t address)
{
	const struct module *m = module_of(address);
	if (m && m->system)
		return "which belongs to the C library";
	return m && !m->watched ? "which belongs to a library" : NULL;
}

static void mark_watched(const void *address)
{
	const struct module *m = module_of((uintptr_t)address);
	for (size_t i = 0; m && i < modules.len; i++)
		if (modules.data[i].number == m->number)
			modules.data[i].watched = true;
}

static void add_variables(const struct evr_object *o)
{
	for (uint64_t i = 0; i < o->variable_count; i++) {
		const struct evr_variable *v = &o->variables[i];
		if (v->flags & EVR_VARIABLE_EXTERN || !v->size)
			continue;
		evr_vec_push(&variables, v);
		evr_shadow_global((uintptr_t)v->address, v->size, v->flags & EVR_VARIABLE_CONST);
	}
}

/* A variable that nobody here defines belongs to a library: the program may use it, as far as its type tells. */
static void add_externs(const struct evr_object *o)
{
	for (uint64_t i = 0; i < o->variable_count; i++) {
		const struct evr_variable *v = &o->variables[i];
		if (v->flags & EVR_VARIABLE_EXTERN && v->address && v->size &&
		    !evr_shadow_valid((uintptr_t)v->address, v->size)) {
			evr_vec_push(&variables, v);
			evr_shadow_global((uintptr_t)v->address, v->size, false);
		}
	}
}

/* Those of the C library that its functions write on behalf of the program, whether or not the program names them. */
static void add_library_variables(void)
{
	const struct evr_range library[] = {
		{ (uintptr_t)&optarg, sizeof(optarg) },   { (uintptr_t)&optind, sizeof(optind) },
		{ (uintptr_t)&opterr, sizeof(opterr) },   { (uintptr_t)&optopt, sizeof(optopt) },
		{ (uintptr_t)&environ, sizeof(environ) },
	};
	for (size_t i = 0; i < EVR_COUNT(library); i++)
		if (library[i].address && !evr_shadow_valid(library[i].address, library[i].size))
			evr_shadow_global(library[i].address, library[i].size, false);
}

static void add_tls(const struct evr_object *o)
{
	for (uint64_t i = 0; i < o->tls_count; i++) {
		struct evr_tls *t = o->tls[i];
		uint64_t align = t->align < 8 ? 8 : t->align;
		tls_size = (tls_size + align - 1) & ~(align - 1);
		t->offset = tls_size;
		tls_size += t->size + 8; /* a gap, so that variables do not share a word */
		evr_vec_push(&thread_locals, t);
	}
	if (tls_size > EVR_TLS_SIZE)
		evr_die("the program has more than %u MiB of thread-local variables", (unsigned)(EVR_TLS_SIZE >> 20));
}

static void add_constructors(const struct evr_object *o)
{
	for (uint64_t i = 0; i < o->constructor_count; i++) {
		/* Insertion keeps the order among equals: that of the objects, and within each. */
		evr_vec_push(&constructors, o->constructors[i]);
		for (size_t k = constructors.len - 1;
		     k > 0 && constructors.data[k - 1].priority > constructors.data[k].priority; k--) {
			struct evr_constructor swap = constructors.data[k];
			constructors.data[k] = constructors.data[k - 1];
			constructors.data[k - 1] = swap;
		}
	}
}

/* Registration put the last object first; constructors and addresses follow the order of linking. */
static void reverse(void)
{
	struct evr_object *list = NULL;
	while (objects) {
		struct evr_object *o = objects;
		objects = o->next;
		o->next = list;
		list = o;
	}
	objects = list;
}

/* Of glibc from 2.32 on; other libraries have no such variable. */
extern char __libc_single_threaded __attribute__((weak));

/*
 * glibc knows of the one thread of this process and of none that the program creates. libstdc++ would count references without atomic
 * operations. Zero never promises too much: a process with one thread may have it, too.
 */
static void admit_threads(void)
{
	if (&__libc_single_threaded)
		__libc_single_threaded = 0;
}

void evr_objects_init(void)
{
	unsigned number = 0;
	admit_threads();
	dl_iterate_phdr(add_module, &number);
	reverse();
	for (struct evr_object *o = objects; o; o = o->next) {
		if (o->version != EVR_ABI_VERSION)
			evr_die("'%s' was compiled by another version of Everett: compile it again", o->name);
		mark_watched(o);
		add_variables(o);
		add_tls(o);
		add_constructors(o);
	}
	for (struct evr_object *o = objects; o; o = o->next)
		add_externs(o);
	add_library_variables();
	mark_system((uintptr_t)stdout);
	mark_system(getauxval(AT_BASE));
	forget_system_locals();
	if (variables.len)
		qsort(variables.data, variables.len, sizeof(*variables.data), by_address);
	evr_callees_init(objects);
	evr_orders_init(objects);
}

void evr_objects_cover(void)
{
	evr_coverage_init(objects);
}

/* The C library hands them what main gets. */
void evr_objects_run_constructors(void)
{
	for (size_t i = 0; i < constructors.len; i++)
		if (!constructors.data[i].is_destructor)
			((void (*)(int, char **, char **))constructors.data[i].function)(evr_rt.argc, evr_rt.argv,
											 environ);
}

void evr_objects_run_destructors(void)
{
	for (size_t i = constructors.len; i-- > 0;)
		if (constructors.data[i].is_destructor)
			constructors.data[i].function();
}

void evr_tls_begin(struct evr_thread *t)
{
	for (size_t i = 0; i < thread_locals.len; i++) {
		const struct evr_tls *v = thread_locals.data[i];
		uintptr_t address = t->tls + v->offset;
		evr_undo_range(&evr_rt.world.undo, address, v->size);
		memcpy((void *)address, v->image, v->size);
		evr_shadow_create(address, v->size, true);
	}
}

/* Another thread may be using it at the same time: then this is an event, as leaving a local is. Main's stay. */
void evr_tls_end(struct evr_thread *t)
{
	t->tls_ended = t->id;
	for (size_t i = 0; t->id && i < thread_locals.len; i++) {
		uintptr_t address = t->tls + thread_locals.data[i]->offset;
		size_t size = thread_locals.data[i]->size;
		if (!size)
			continue;
		evr_shadow_leave(address, size);
		if (evr_is_contended(address))
			evr_life_end(address, size, t->site);
		evr_life_destroy(address, size, t->site);
	}
}

void *evr_tls_address(void *tls)
{
	return (void *)(evr_current->tls + ((const struct evr_tls *)tls)->offset);
}

static const struct evr_tls *find_tls(uintptr_t address, evr_thread_id *thread, uintptr_t *start)
{
	if (address - EVR_TLS >= EVR_FRAMES_END - EVR_TLS)
		return NULL;
	*thread = (evr_thread_id)((address - EVR_TLS) / EVR_TLS_SIZE);
	uintptr_t block = EVR_TLS + *thread * EVR_TLS_SIZE;
	for (size_t i = 0; i < thread_locals.len; i++) {
		const struct evr_tls *v = thread_locals.data[i];
		if (address - block - v->offset < v->size) {
			*start = block + v->offset;
			return v;
		}
	}
	return NULL;
}

const struct evr_variable *evr_tls_variable(uintptr_t address, evr_thread_id *thread, uintptr_t *start)
{
	const struct evr_tls *v = find_tls(address, thread, start);
	return v ? v->variable : NULL;
}

bool evr_tls_find(uintptr_t address, evr_thread_id *thread, uintptr_t *start, size_t *size)
{
	const struct evr_tls *v = find_tls(address, thread, start);
	if (v)
		*size = v->size;
	return v;
}

/* The variable that holds the address, or that it lies just behind or, if that is nearer, just before. */
const struct evr_variable *evr_object_variable(uintptr_t address)
{
	size_t low = 0, high = variables.len;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if ((uintptr_t)variables.data[middle]->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const struct evr_variable *v = low ? variables.data[low - 1] : NULL;
	const struct evr_variable *next = low < variables.len ? variables.data[low] : NULL;
	uintptr_t behind = v ? address - (uintptr_t)v->address : UINTPTR_MAX;
	uintptr_t before = next ? (uintptr_t)next->address - address : UINTPTR_MAX;
	if (v && behind < v->size)
		return v;
	if (before <= 8 && (!v || before < behind - v->size))
		return next;
	return v && behind < v->size + 64 ? v : NULL;
}

const struct evr_call *evr_object_call(const struct evr_site *site)
{
	for (const struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->call_count; i++)
			if (o->calls[i].site == site)
				return &o->calls[i];
	return NULL;
}

/* Only the starts of functions are known; those of the hooks tell the runtime's own code from the program's. */
const struct evr_function *evr_object_function(uintptr_t pc)
{
	const struct evr_function *best = NULL;
	uintptr_t nearest = 0;
	for (struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->function_count; i++) {
			uintptr_t start = (uintptr_t)o->functions[i].address, end = (uintptr_t)o->end;
			/* Behind its end comes code that is not the program's. */
			if (start <= pc && start > nearest && (start >= end || pc < end)) {
				nearest = start;
				best = &o->functions[i];
			}
		}
	static const struct {
		void *start;
	} hooks[] = {
#define HOOK(name, ...) { (void *)(uintptr_t)name },
#include "runtime/hooks.def"
#undef HOOK
	};
	for (size_t i = 0; i < EVR_COUNT(hooks); i++)
		if ((uintptr_t)hooks[i].start <= pc && (uintptr_t)hooks[i].start > nearest)
			best = NULL;
	const struct module *m = module_of(pc);
	return m && m->watched && m->code ? best : NULL;
}

uint64_t evr_program_hash(void)
{
	uint64_t sum = 1;
	for (size_t i = 0; i < modules.len; i++) {
		const struct module *m = &modules.data[i];
		if (!m->watched)
			continue;
		sum = evr_hash64(sum ^ (m->start - m->base));
		sum = evr_hash64(sum ^ (m->end - m->start));
		if (m->code)
			sum = evr_hash64(sum ^ evr_hash_bytes((const void *)m->start, m->end - m->start));
	}
	return sum;
}
