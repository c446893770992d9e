/* Flavour `sync` as C, and how such a program tells what came of it. */
#include "print.h"

const char print_sync_prelude[] =
	"#include <semaphore.h>\n"
	"#include <stdio.h>\n"
	"#include <time.h>\n"
	"static sem_t s0, s1;\n"
	"static pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;\n"
	"static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;\n"
	"static pthread_barrier_t b0;\n"
	"static pthread_once_t o0 = PTHREAD_ONCE_INIT;\n"
	"static pthread_spinlock_t l0;\n"
	"static const struct timespec soon = { 1, 0 };\n"
	"#define FAILS(call) ({ int e = (call) != 0; DONE e; })\n"
	"#define VALUE(s) ({ int v; sem_getvalue(s, &v); DONE v; })\n" PRINT_TELL;

/* %u: what it is about, in the order that the statement names them; the register, if any, comes first. */
static const char *const calls[STMT_KINDS] = {
	[S_SEM_WAIT] = "sem_wait(&s%u)",
	[S_SEM_POST] = "sem_post(&s%u)",
	[S_SEM_TRYWAIT] = "sem_trywait(&s%u)",
	[S_RDLOCK] = "pthread_rwlock_rdlock(&w%u)",
	[S_WRLOCK] = "pthread_rwlock_wrlock(&w%u)",
	[S_TRYRDLOCK] = "pthread_rwlock_tryrdlock(&w%u)",
	[S_TRYWRLOCK] = "pthread_rwlock_trywrlock(&w%u)",
	[S_RWUNLOCK] = "pthread_rwlock_unlock(&w%u)",
	[S_SPIN_LOCK] = "pthread_spin_lock(&l%u)",
	[S_SPIN_TRYLOCK] = "pthread_spin_trylock(&l%u)",
	[S_SPIN_UNLOCK] = "pthread_spin_unlock(&l%u)",
	[S_COND_WAIT] = "pthread_cond_wait(&c%u, &m%u)",
	[S_COND_TIMEDWAIT] = "pthread_cond_timedwait(&c%u, &m%u, &soon)",
	[S_COND_SIGNAL] = "pthread_cond_signal(&c%u)",
	[S_COND_BROADCAST] = "pthread_cond_broadcast(&c%u)",
	[S_BARRIER] = "pthread_barrier_wait(&b%u)",
};

/* To be freed. */
static char *call_text(const struct stmt *s)
{
	const char *end = strstr(calls[s->kind], "%u"), *second = strstr(end + 1, "%u");
	char *first = evr_format("%.*s%u", (int)(end - calls[s->kind]), calls[s->kind], s->place);
	char *text = second ? evr_format("%s%.*s%u%s", first, (int)(second - end - 2), end + 2, s->place2, second + 2)
			    : evr_format("%s%s", first, end + 2);
	free(first);
	return text;
}

const char *print_sync_unlock(const struct stmt *s)
{
	return s->kind == S_TRYRDLOCK || s->kind == S_TRYWRLOCK ? "pthread_rwlock_unlock(&w0)"
	       : s->kind == S_SPIN_TRYLOCK                      ? "pthread_spin_unlock(&l0)"
								: NULL;
}

void print_sync(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	if (s->kind == S_SEM_GETVALUE) {
		evr_strbuf_printf(out, "r%u = VALUE(&s%u);\n", s->reg, s->place);
		return;
	}
	if (s->kind == S_ONCE) {
		evr_strbuf_printf(out, "pthread_once(&o0, once_%llu); DONE\n", (unsigned long long)p->seed);
		return;
	}
	char *call = call_text(s);
	if (stmt_tries(s) || s->kind == S_SEM_TRYWAIT) {
		evr_strbuf_printf(out, "if (!(r%u = FAILS(%s))) ", s->reg, call);
		print_braces(out, p, s, depth);
	} else if (s->kind == S_COND_TIMEDWAIT || (s->kind == S_BARRIER && s->from_register)) {
		evr_strbuf_printf(out, "r%u = FAILS(%s);\n", s->reg, call);
	} else {
		evr_strbuf_printf(out, "%s; DONE\n", call);
	}
	free(call);
}

void print_sync_once(struct evr_strbuf *out, const struct program *p)
{
	evr_strbuf_printf(out, "static void once_%llu(void)\n{\n", (unsigned long long)p->seed);
	print_body(out, p, &p->once);
	evr_strbuf_puts(out, "}\n");
}

void print_sync_initial(struct evr_strbuf *out, const struct program *p)
{
	for (unsigned i = 0; i < SEMAPHORES && p->syncs & SYNC_SEMAPHORE; i++)
		evr_strbuf_printf(out, "\tsem_init(&s%u, 0, %u);\n", i, p->semaphore[i]);
	if (p->syncs & SYNC_BARRIER)
		evr_strbuf_printf(out, "\tpthread_barrier_init(&b0, 0, %u);\n", p->barrier);
	if (p->syncs & SYNC_SPIN)
		evr_strbuf_puts(out, "\tpthread_spin_init(&l0, 0);\n");
}
