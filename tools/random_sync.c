/* Flavour `sync`: what threads wait for. A program is about one kind of object, or two. */
#include "random.h"

/* Once for a program, whatever is tried until it is large enough: else most would be about what is small. */
unsigned random_sync_kinds(struct maker *m)
{
	static const enum sync likely[] = { SYNC_SEMAPHORE, SYNC_SEMAPHORE, SYNC_SEMAPHORE, SYNC_RWLOCK, SYNC_RWLOCK,
					    SYNC_RWLOCK,    SYNC_COND,      SYNC_COND,      SYNC_COND,   SYNC_COND,
					    SYNC_BARRIER,   SYNC_BARRIER,   SYNC_ONCE,      SYNC_SPIN };
	unsigned syncs = likely[random_below(m, EVR_COUNT(likely))];
	m->predicate = random_percent(m, 50);
	return random_percent(m, 30) ? syncs | likely[random_below(m, EVR_COUNT(likely))] : syncs;
}

void random_sync_objects(struct maker *m)
{
	struct program *p = m->p;
	p->syncs = m->syncs;
	for (unsigned i = 0; i < SEMAPHORES; i++)
		p->semaphore[i] = random_percent(m, 60) ? 0 : 1 + random_below(m, 2);
	/* Who is woken matters if two wait. */
	if (p->syncs & SYNC_COND && p->roles == 2 && random_percent(m, 60))
		p->roles = 3;
	m->signaller = random_below(m, p->roles);
	p->barrier = p->roles > 2 && random_percent(m, 30) ? 3 : 2;
	m->nested_block = true;
	m->read = false;
	for (unsigned n = p->syncs & SYNC_ONCE ? 1 + random_percent(m, 30) : 0; n; n--)
		evr_vec_push(&p->once, random_access(m, random_percent(m, 40)   ? S_STORE
							: random_percent(m, 30) ? S_LOAD
										: S_ADD));
}

/* A register that tells what came of it. */
static unsigned result(struct maker *m)
{
	m->read = true;
	m->last = random_below(m, REGISTERS);
	return m->last;
}

static void make_tried(struct maker *m, struct block *b, struct stmt s)
{
	bool outer = m->nested_block;
	unsigned held = m->held;
	s.reg = result(m);
	m->nested_block = true;
	m->held |= stmt_lock(&s);
	if (random_percent(m, 80))
		random_block(m, &s.body, 1);
	m->held = held;
	if (random_percent(m, 30))
		random_block(m, &s.other, 1);
	m->nested_block = outer;
	evr_vec_push(b, s);
}

static bool make_semaphore(struct maker *m, struct block *b)
{
	struct stmt s = { .place = random_percent(m, 25) };
	unsigned dice = random_below(m, 100);
	s.kind = dice < 40 ? S_SEM_WAIT : dice < 75 ? S_SEM_POST : dice < 90 ? S_SEM_TRYWAIT : S_SEM_GETVALUE;
	if (s.kind == S_SEM_TRYWAIT) {
		make_tried(m, b, s);
		return true;
	}
	if (s.kind == S_SEM_GETVALUE)
		s.reg = result(m);
	evr_vec_push(b, s);
	return true;
}

/* Begin or end what is locked, or try. */
static bool make_section(struct maker *m, struct block *b, struct stmt lock, struct stmt try, enum stmt_kind unlock)
{
	bool held = m->held & stmt_lock(&lock);
	if (!held && random_percent(m, 25)) {
		make_tried(m, b, try);
		return true;
	}
	if (m->nested_block)
		return false;
	if (held)
		lock.kind = unlock;
	m->held ^= stmt_lock(&lock);
	evr_vec_push(b, lock);
	return true;
}

static bool make_rwlock(struct maker *m, struct block *b)
{
	bool reads = random_percent(m, 60);
	return make_section(m, b, (struct stmt){ .kind = reads ? S_RDLOCK : S_WRLOCK },
			    (struct stmt){ .kind = random_percent(m, 50) ? S_TRYRDLOCK : S_TRYWRLOCK }, S_RWUNLOCK);
}

static bool make_spin(struct maker *m, struct block *b)
{
	return make_section(m, b, (struct stmt){ .kind = S_SPIN_LOCK }, (struct stmt){ .kind = S_SPIN_TRYLOCK },
			    S_SPIN_UNLOCK);
}

static void make_wait(struct maker *m, struct block *b, unsigned cond, unsigned mutex)
{
	bool timed = random_percent(m, 25);
	struct stmt wait = { .kind = timed ? S_COND_TIMEDWAIT : S_COND_WAIT, .place = cond, .place2 = mutex };
	if (m->predicate || random_percent(m, 40)) {
		struct stmt load = random_access(m, S_LOAD);
		if (m->predicate)
			load.place = 0;
		struct stmt when = { .kind = S_IF,
				     .reg = load.reg,
				     .value = !m->predicate && random_percent(m, 20),
				     .negated = !m->predicate && random_percent(m, 15) };
		wait.reg = timed ? result(m) : 0;
		evr_vec_push(b, load);
		evr_vec_push(&when.body, wait);
		evr_vec_push(b, when);
	} else {
		wait.reg = timed ? result(m) : 0;
		evr_vec_push(b, wait);
	}
}

/* Whoever waits for a condition holds the mutex that belongs to it; whoever signals may. */
static bool make_cond(struct maker *m, struct block *b)
{
	unsigned cond = random_percent(m, 10), mutex = m->p->mutexes > 1 ? cond : 0, bit = 1u << mutex;
	bool waits = !m->nested_block && m->awaits < 3 && random_percent(m, m->waiter ? 85 : 10);
	bool locks = !m->nested_block && !(m->held & bit) && (waits || m->predicate || random_percent(m, 50));
	if (locks)
		evr_vec_push(b, (struct stmt){ .kind = S_LOCK, .place = mutex });
	m->held |= locks ? bit : 0;
	if (!waits && m->predicate)
		evr_vec_push(b, (struct stmt){ .kind = S_STORE, .order = RELAXED, .value = 1 });
	else if (random_percent(m, waits ? 5 : 25))
		evr_vec_push(b, random_access(m, S_STORE));
	if (waits)
		make_wait(m, b, cond, mutex);
	else
		for (unsigned n = 1 + random_percent(m, 30); n; n--)
			evr_vec_push(b, (struct stmt){ .kind = random_percent(m, 70) ? S_COND_SIGNAL : S_COND_BROADCAST,
						       .place = cond });
	m->awaits += waits;
	if (m->held & bit && !m->nested_block && random_percent(m, 70)) {
		evr_vec_push(b, (struct stmt){ .kind = S_UNLOCK, .place = mutex });
		m->held &= ~bit;
	}
	return true;
}

static bool make_barrier(struct maker *m, struct block *b)
{
	struct stmt s = { .kind = S_BARRIER, .from_register = random_percent(m, 40) };
	if (s.from_register)
		s.reg = result(m);
	evr_vec_push(b, s);
	return true;
}

bool random_sync(struct maker *m, struct block *b)
{
	unsigned kind;
	do
		kind = 1u << random_below(m, SYNC_KINDS);
	while (!(m->p->syncs & kind));
	switch (kind) {
	case SYNC_SEMAPHORE:
		return make_semaphore(m, b);
	case SYNC_RWLOCK:
		return make_rwlock(m, b);
	case SYNC_COND:
		return make_cond(m, b);
	case SYNC_BARRIER:
		return random_percent(m, 15) && make_barrier(m, b);
	case SYNC_ONCE:
		evr_vec_push(b, (struct stmt){ .kind = S_ONCE });
		return true;
	default:
		return make_spin(m, b);
	}
}

/* To wait is several events. */
void random_sync_role(struct maker *m, unsigned role)
{
	unsigned most = m->p->roles == 2 ? 6 : m->p->roles == 3 ? 4 : 3;
	if (m->p->syncs & SYNC_COND)
		most = m->p->roles == 2 ? 4 : 2;
	m->waiter = role != m->signaller && random_percent(m, 85);
	unsigned n = 1 + random_below(m, most);
	if (m->p->syncs & SYNC_COND && random_percent(m, 85))
		n -= make_cond(m, &m->p->role[role]);
	random_block(m, &m->p->role[role], n);
}

/* As many threads as the barrier waits for come to it, or more; where and how often is left to chance. */
void random_sync_barriers(struct maker *m)
{
	struct program *p = m->p;
	unsigned users = p->barrier, first = random_below(m, p->roles);
	if (!(p->syncs & SYNC_BARRIER))
		return;
	if (p->roles > users && random_percent(m, 40))
		users += 1 + random_below(m, p->roles - users);
	for (unsigned i = 0; i < users; i++) {
		struct block *b = &p->role[(first + i) % p->roles];
		for (unsigned n = 1 + random_percent(m, 15); n; n--) {
			struct stmt s = { .kind = S_BARRIER,
					  .reg = random_below(m, REGISTERS),
					  .from_register = random_percent(m, 40) };
			block_insert(b, random_below(m, (unsigned)b->len + 1), s);
		}
	}
}

static unsigned kinds_of(const struct block *b)
{
	unsigned kinds = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		if (s->kind >= S_SEM_WAIT)
			kinds |= 1u << (s->kind - S_SEM_WAIT);
		kinds |= kinds_of(&s->body) | kinds_of(&s->other);
	}
	return kinds;
}

#define KIND(kind) (1u << ((kind) - S_SEM_WAIT))

/* Two threads have to do with it. If there is a wait, somebody may end it; if not, nobody signals for nothing. */
bool random_sync_enough(const struct program *p)
{
	unsigned kinds = 0, users = 0;
	for (unsigned r = 0; r < p->roles; r++) {
		unsigned own = kinds_of(&p->role[r]);
		kinds |= own;
		users += own != 0;
	}
	bool waits = kinds & (KIND(S_COND_WAIT) | KIND(S_COND_TIMEDWAIT));
	bool ends = kinds & (KIND(S_COND_SIGNAL) | KIND(S_COND_BROADCAST) | KIND(S_COND_TIMEDWAIT));
	bool taken = !(kinds & KIND(S_SEM_POST)) || kinds & (KIND(S_SEM_WAIT) | KIND(S_SEM_TRYWAIT));
	return users > 1 && taken && (p->syncs & SYNC_COND ? waits && ends : true);
}

double random_sync_steps(const struct program *p, const struct stmt *s)
{
	switch (s->kind) {
	case S_SEM_WAIT:
	case S_SEM_TRYWAIT:
		return 2.4;
	case S_SEM_POST:
		return 1.6;
	case S_RDLOCK:
		return 2.2;
	case S_TRYRDLOCK:
	case S_TRYWRLOCK:
		return 3;
	case S_RWUNLOCK:
		return 1;
	case S_SEM_GETVALUE:
	case S_ONCE:
		return 1.3 + (s->kind == S_ONCE ? (double)p->once.len : 0);
	case S_WRLOCK:
	case S_SPIN_LOCK:
		return 1;
	case S_SPIN_TRYLOCK:
		return 1.5;
	case S_SPIN_UNLOCK:
		return 0.3;
	case S_COND_WAIT:
	case S_COND_TIMEDWAIT:
		return 1;
	case S_COND_SIGNAL:
	case S_COND_BROADCAST:
		return 1.2;
	case S_BARRIER:
		return 1;
	default:
		return 0;
	}
}
