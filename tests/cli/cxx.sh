#!/bin/bash
# C++ without the standard library's threads: classes, templates, virtual functions, new and delete, static constructors.
. "$(dirname "$0")/lib.bash"

cat >classes.cpp <<'END'
#include <pthread.h>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <new>
struct shape {
	virtual ~shape() {}
	virtual int area() const = 0;
};
struct square : shape {
	int side;
	explicit square(int s) : side(s) {}
	int area() const override { return side * side; }
};
struct rectangle : square {
	int other;
	rectangle(int a, int b) : square(a), other(b) {}
	int area() const override { return side * other; }
};
static int live;
struct tracked {
	int n;
	tracked() : n(7) { live++; }
	~tracked() { live--; }
};
static tracked global;
template <class T> class stack {
	T *data;
	size_t len, room;
public:
	stack() : data(new T[1]), len(0), room(1) {}
	~stack() { delete[] data; }
	void push(const T &v)
	{
		if (len == room) {
			T *more = new T[room * 2];
			for (size_t i = 0; i < len; i++)
				more[i] = data[i];
			delete[] data;
			data = more;
			room *= 2;
		}
		data[len++] = v;
	}
	T pop() { return data[--len]; }
};
static int x;
static tracked &instance()
{
	static tracked only;
	return only;
}
static void *work(void *a)
{
	x = 1;
	shape *s = new rectangle(3, 4);
	assert(s->area() == 12);
	delete s;
	auto add = [&](int d) { return (int)(size_t)a + d; };
	assert(add(2) >= 2);
	return a;
}
int main()
{
	assert(global.n == 7 && live == 1);
	stack<long> s;
	for (long i = 0; i < 10; i++)
		s.push(i);
	for (long i = 10; i-- > 0;)
		assert(s.pop() == i);
	tracked *t = new tracked[3];
	assert(live == 4);
	delete[] t;
	assert(live == 1);
	assert(instance().n == 7 && live == 2);
	alignas(8) char place[sizeof(square)];
	square *p = new (place) square(5);
	assert(p->area() == 25);
	p->~square();
	int *q = new (std::nothrow) int(4);
	assert(*q == 4);
	delete q;
	pthread_t a, b;
	pthread_create(&a, nullptr, work, nullptr);
	pthread_create(&b, nullptr, work, nullptr);
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	return 0;
}
END
# Only the two writes of x are shared: 2 orders.
for check in '' --check; do
	run 0 "$EVERETT" check -e none $check classes.cpp
	has err 'sc/none: ok, 2 executions, complete'
done
run 0 "$EVERETT" c++ -O2 -std=c++20 classes.cpp -o classes
run 0 "$EVERETT" run -e none ./classes
has err 'sc/none: ok, 2 executions, complete'

# Two threads come to a variable that its function initialises once.
cat >once.cpp <<'END'
#include <cassert>
#include <pthread.h>
static int made;
struct heavy {
	int a, b;
	heavy() : a(1), b(2) { made++; }
};
static heavy &get()
{
	static heavy only;
	return only;
}
static void *work(void *p)
{
	assert(get().a == 1 && get().b == 2);
	return p;
}
int main()
{
	pthread_t a, b;
	pthread_create(&a, nullptr, work, nullptr);
	pthread_create(&b, nullptr, work, nullptr);
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	assert(made == 1);
	return 0;
}
END
run 0 "$EVERETT" check -e none once.cpp
has err 'ok, .* complete'
run 0 "$EVERETT" check -e none --check once.cpp

# libstdc++ counts references with atomic operations unless the C library says that there is one thread only.
cat >shared.cpp <<'END'
#include <cassert>
#include <memory>
#include <pthread.h>
static std::shared_ptr<int> shared;
static void *work(void *p)
{
	std::shared_ptr<int> mine = shared;
	assert(*mine == 7);
	return p;
}
int main()
{
	shared = std::make_shared<int>(7);
	pthread_t a, b;
	pthread_create(&a, nullptr, work, nullptr);
	pthread_create(&b, nullptr, work, nullptr);
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	assert(shared.use_count() == 1);
	return 0;
}
END
run 0 "$EVERETT" check -k --races shared.cpp
has err 'ok, .* complete'
run 0 "$EVERETT" c++ shared.cpp -o shared
run 0 "$EVERETT" run -m tso ./shared
has err 'ok, .* complete'
cat >single.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <sys/single_threaded.h>
static void *work(void *p)
{
	assert(!__libc_single_threaded);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	assert(!__libc_single_threaded);
	pthread_join(t, 0);
	return 0;
}
END
run 0 "$EVERETT" check single.c

# Functions that are refused have the names of the source, and the option that of the linker.
cat >refused.cpp <<'END'
#include <thread>
#include <mutex>
namespace bank { struct safe { static int open(int, const char *); }; template <class T> T look(T); }
int main(int argc, char **argv)
{
	int (*volatile open)(int, const char *) = bank::safe::open;
	std::mutex m;
	switch (argc) {
	case 1: std::thread([] {}).join(); break;
	case 2: return bank::safe::open(1, argv[1]);
	case 3: return bank::look(2L) != 0;
	default: return open(3, argv[1]);
	}
	return 0;
}
END
cat >foreign.cpp <<'END'
namespace bank {
struct safe { static int open(int, const char *); };
int safe::open(int a, const char *) { return a - 1; }
template <class T> T look(T a) { return a - 2; }
template long look(long);
}
END
c++ -c foreign.cpp -o foreign.o
run 2 "$EVERETT" check refused.cpp foreign.o
has err "the function 'std::thread::_M_start_thread' is not supported: it manages threads"
run 2 "$EVERETT" check refused.cpp foreign.o -- x
has err "refused.cpp:10: the function 'bank::safe::open' is not supported (--allow-external=_ZN4bank4safe4openEiPKc calls"
run 0 "$EVERETT" check refused.cpp foreign.o --allow-external=_ZN4bank4safe4openEiPKc -- x
run 2 "$EVERETT" check refused.cpp foreign.o -- x y
has err "refused.cpp:11: the function 'bank::look<long>' is not supported (--allow-external=_ZN4bank4lookIlEET_S1_ calls"
run 2 "$EVERETT" check refused.cpp foreign.o -- x y z
has err "refused.cpp:12: the function 'bank::safe::open' is not supported (--allow-external=_ZN4bank4safe4openEiPKc calls"

# What futures use, too: one message, and none of the linker's.
cat >once.cpp <<'END'
#include <mutex>
std::once_flag flag;
int main()
{
	std::call_once(flag, [] {});
	return 0;
}
END
run 2 "$EVERETT" check once.cpp
has err "/mutex:[0-9]*: std::call_once.. and std::future are not supported: they manage threads"
[ "$(wc -l <err)" = 1 ] || fail "more than one message: $(cat err)"
printf 'extern thread_local int missing;\nint main()\n{\n\treturn missing;\n}\n' >missing.cpp
run 2 "$EVERETT" check missing.cpp
has err 'linking failed: a thread-local variable is in none of the files that Everett compiled'

cat >wrong.cpp <<'END'
struct s { int a; ~s() {} };
int main(int argc, char **)
{
	s *p = new s();
	delete p;
	if (argc > 1)
		delete p;
	return p->a;
}
END
run 1 "$EVERETT" check -e none wrong.cpp
has err 'FINDING use-after-free at wrong.cpp:8'
run 1 "$EVERETT" check -e none wrong.cpp -- x
has err 'FINDING double-free at wrong.cpp:7'
finish
