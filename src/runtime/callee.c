/*
 * Which functions the program may call: its own, the wrappers of the library's, those that need none, and those that the
 * user allowed (--allow-external). All others are refused by name, when they are called: what they do to memory would not
 * be seen.
 *
 * Invariant: before main runs, `callable` has the address of every function that may be called through a pointer.
 */
#define EVR_ALLOW_BANNED /* library.def names them */
#include "base/map.h"
#include "base/strbuf.h"
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <string.h>

/* Known, and yet neither modelled nor to be allowed: the reason is part of the message. */
static const struct {
	const char *name, *reason;
} refused[] = {
#define WRAPPED(name)
#define HARMLESS(name)
#define REFUSED(name, reason) { #name, reason },
#include "runtime/libc/library.def"
#undef WRAPPED
#undef HARMLESS
#undef REFUSED
};

/*
 * Whole families of functions that are not to be allowed. The C library knows of one thread, and finds something else than it expects
 * where the program has a mutex: what it would do is not what the program does.
 */
static const struct {
	const char *prefix, *reason;
} refused_families[] = {
#define THREADS "it manages threads, and Everett implements the program's threads itself"
	{ "pthread_", THREADS },
	{ "__pthread_", THREADS },
	{ "thrd_", THREADS },
	{ "mtx_", THREADS },
	{ "cnd_", THREADS },
	{ "tss_", THREADS },
	{ "call_once", THREADS },
	{ "sem_", THREADS },
	{ "__gthread", THREADS },
	{ "GOMP_", THREADS },
	{ "__kmpc_", THREADS },
	/* std::thread, std::condition_variable, and what futures and atomics wait with, in libstdc++ */
	{ "_ZNSt6thread15_M_start_thread", THREADS },
	{ "_ZNSt6thread4join", THREADS },
	{ "_ZNSt6thread6detach", THREADS },
	{ "_ZNSt18condition_variable", THREADS },
	{ "_ZNSt28__atomic_futex_unsigned_base", THREADS },
};

static void *const wrappers[] = {
#define WRAPPED(name) (void *)(uintptr_t)evr_libc_##name,
#define HARMLESS(name)
#define REFUSED(name, reason)
#include "runtime/libc/library.def"
#undef WRAPPED
#undef HARMLESS
#undef REFUSED
};

static void *const quiet[] = {
#define QUIET(name) (void *)(uintptr_t)evr_libc_##name,
#include "runtime/libc/quiet.def"
#undef QUIET
};

static const char *const harmless[] = {
#define WRAPPED(name)
#define HARMLESS(name) #name,
#define REFUSED(name, reason)
#include "runtime/libc/library.def"
#undef WRAPPED
#undef HARMLESS
#undef REFUSED
};

enum {
	QUIET = EVR_CALLEE_QUIET,
	ALLOWED = 2
}; /* it leaves nothing behind by itself, or it may; from 3 on: as an external function, the index of its name */

struct external {
	char *name;
	bool called;
};

static EVR_LASTING EVR_VEC(struct external) externals;
static EVR_LASTING struct evr_map callable; /* address -> how */
static EVR_LASTING const struct evr_object *objects;

static const char *refusal(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(refused); i++)
		if (!strcmp(refused[i].name, name))
			return refused[i].reason;
	for (size_t i = 0; i < EVR_COUNT(refused_families); i++)
		if (!strncmp(refused_families[i].prefix, name, strlen(refused_families[i].prefix)))
			return refused_families[i].reason;
	return NULL;
}

static _Noreturn void refuse(const char *name, const char *symbol, const struct evr_site *site)
{
	const char *reason = refusal(symbol);
	if (reason)
		evr_unsupported(site, "the function '%s' is not supported: %s", name, reason);
	evr_unsupported(site, "the function '%s' is not supported (--allow-external=%s calls it uninstrumented)", name,
			symbol);
}

/* What is called through a pointer and is not `callable`. Where a function of the program ends is not known, so others are looked for first. */
static _Noreturn void refuse_address(void *function, const struct evr_site *site)
{
	for (const struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->callee_count; i++)
			if (o->callees[i]->function == function)
				refuse(o->callees[i]->name, o->callees[i]->symbol, site);
	Dl_info info;
	if (dladdr(function, &info) && info.dli_sname && info.dli_saddr == function)
		refuse(info.dli_sname, info.dli_sname, site);
	const struct evr_function *f = evr_object_function((uintptr_t)function);
	if (f)
		evr_fail("crash", site, "call of %#zx, which is not the start of a function but inside of '%s'",
			 (size_t)(uintptr_t)function, f->name);
	evr_unsupported(site, "a call through a pointer to a function that Everett did not compile");
}

/* Known by name, so that a function which exists only in a library the program was linked with is found, too. */
static void add_externals(const char *names)
{
	for (const char *p = names; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ",");
		struct external e = { .name = evr_strndup(p, n) };
		p += n;
		if (refusal(e.name))
			evr_die("the function '%s' cannot be allowed: %s", e.name, refusal(e.name));
		void *address = dlsym(RTLD_DEFAULT, e.name);
		evr_vec_push(&externals, e);
		if (address && !evr_map_get(&callable, (uintptr_t)address))
			evr_map_put(&callable, (uintptr_t)address, ALLOWED + externals.len);
	}
}

/* A function that the linker made local, in an archive say, has no address that dlsym() knows. */
static uint64_t find_external(const char *name)
{
	for (size_t i = 0; i < externals.len; i++)
		if (!strcmp(externals.data[i].name, name))
			return ALLOWED + 1 + i;
	return 0;
}

void evr_callees_init(const struct evr_object *all)
{
	objects = all;
	for (const struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->function_count; i++)
			evr_map_put(&callable, (uintptr_t)o->functions[i].address, QUIET);
	for (size_t i = 0; i < EVR_COUNT(wrappers); i++)
		evr_map_put(&callable, (uintptr_t)wrappers[i], ALLOWED);
	for (size_t i = 0; i < EVR_COUNT(quiet); i++)
		evr_map_put(&callable, (uintptr_t)quiet[i], QUIET);
	for (size_t i = 0; i < EVR_COUNT(harmless); i++) {
		void *address = dlsym(RTLD_DEFAULT, harmless[i]);
		if (address)
			evr_map_put(&callable, (uintptr_t)address, QUIET);
	}
	add_externals(evr_rt.config.allow_external);
	for (const struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->callee_count; i++) {
			struct evr_callee *c = o->callees[i];
			const uint64_t *how = evr_map_get(&callable, (uintptr_t)c->function);
			c->allowed = how ? *how : c->function ? find_external(c->symbol) : 0;
		}
}

/* The calling thread runs it to its end; nobody else comes between. */
static inline void note_call(uint64_t how)
{
	if (how >= ALLOWED)
		evr_effect();
	if (how > ALLOWED)
		externals.data[how - ALLOWED - 1].called = true;
}

void evr_call_pointer(void *function, void *site)
{
	const uint64_t *how = evr_map_get(&callable, (uintptr_t)function);
	evr_call_site = site;
	if (EVR_LIKELY(how)) {
		note_call(*how);
		if (*how == QUIET)
			*evr_quiet_callee((uintptr_t)function) = (uintptr_t)function;
		return;
	}
	if (!evr_module_code((uintptr_t)function))
		evr_fail("crash", site, "call of a function at the invalid address %#zx", (size_t)(uintptr_t)function);
	refuse_address(function, site);
}

void evr_call_check(void *callee, void *site)
{
	const struct evr_callee *c = callee;
	evr_call_site = site;
	if (EVR_UNLIKELY(!c->allowed && !c->function))
		evr_fail("crash", site, "call of the weak function '%s', which is not defined", c->name);
	if (EVR_UNLIKELY(!c->allowed))
		refuse(c->name, c->symbol, site);
	note_call(c->allowed);
}

const char *evr_callees_note(void)
{
	static EVR_LASTING struct evr_strbuf note;
	if (!note.text)
		evr_strbuf_init(&note);
	evr_strbuf_clear(&note);
	for (size_t i = 0; i < externals.len; i++)
		if (externals.data[i].called)
			evr_strbuf_printf(&note, "%s'%s'", note.len ? ", " : "", externals.data[i].name);
	if (!note.len)
		return NULL;
	evr_strbuf_puts(&note,
			" called uninstrumented (--allow-external): the result holds only if such a function writes no "
			"memory of the program, reads none that another thread writes, and does the same in "
			"every execution");
	return note.text;
}
