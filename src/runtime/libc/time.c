/*
 * Time is a matter of each thread's own: it begins at the same moment in every execution, passes by a millisecond with
 * every look at a clock, and by as long as the thread sleeps.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define NANO INT64_C(1000000000)
#define BEGIN_REAL INT64_C(1700000000) /* seconds since 1970: in November 2023 */
#define BEGIN_MONOTONIC INT64_C(1000)
#define STEP (NANO / 1000)

EVR_REAL(gmtime_r);
EVR_REAL(localtime_r);
EVR_REAL(mktime);
EVR_REAL(timegm);
EVR_REAL(strftime);
EVR_REAL(strptime);

struct timespec evr_time_used(void)
{
	int64_t t = evr_current->time_passed += STEP;
	return (struct timespec){ .tv_sec = t / NANO, .tv_nsec = t % NANO };
}

static int64_t look(void)
{
	return evr_current->time_passed += STEP;
}

static struct timespec moment(int64_t begin)
{
	int64_t t = look();
	return (struct timespec){ .tv_sec = begin + t / NANO, .tv_nsec = t % NANO };
}

time_t evr_libc_time(time_t *result)
{
	const struct evr_site *site = evr_call_site;
	time_t now = BEGIN_REAL + look() / NANO;
	if (result)
		evr_access_write(result, &now, sizeof(now), site);
	return now;
}

clock_t evr_libc_clock(void)
{
	return (clock_t)(look() / (NANO / CLOCKS_PER_SEC));
}

int evr_libc_clock_gettime(clockid_t id, struct timespec *result)
{
	const struct evr_site *site = evr_call_site;
	int64_t begin = 0;
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		begin = BEGIN_REAL;
		break;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		begin = BEGIN_MONOTONIC;
		break;
	case CLOCK_PROCESS_CPUTIME_ID:
	case CLOCK_THREAD_CPUTIME_ID:
		break;
	default:
		errno = EINVAL;
		return -1;
	}
	struct timespec now = moment(begin);
	evr_access_write(result, &now, sizeof(now), site);
	return 0;
}

int evr_libc_clock_getres(clockid_t id, struct timespec *result)
{
	struct timespec step = { .tv_nsec = STEP };
	(void)id;
	if (result)
		evr_access_write(result, &step, sizeof(step), evr_call_site);
	return 0;
}

int evr_libc_timespec_get(struct timespec *result, int base)
{
	const struct evr_site *site = evr_call_site;
	if (base != TIME_UTC)
		return 0;
	struct timespec now = moment(BEGIN_REAL);
	evr_access_write(result, &now, sizeof(now), site);
	return base;
}

int evr_libc_gettimeofday(struct timeval *result, void *zone)
{
	const struct evr_site *site = evr_call_site;
	struct timespec now = moment(BEGIN_REAL);
	struct timeval value = { now.tv_sec, now.tv_nsec / 1000 };
	struct timezone utc = { 0, 0 };
	evr_access_write(result, &value, sizeof(value), site);
	if (zone)
		evr_access_write(zone, &utc, sizeof(utc), site);
	return 0;
}

clock_t evr_libc_times(struct tms *to)
{
	const struct evr_site *site = evr_call_site;
	clock_t ticks = (clock_t)(look() / (NANO / sysconf(_SC_CLK_TCK)));
	struct tms used = { .tms_utime = ticks };
	if (to)
		evr_access_write(to, &used, sizeof(used), site);
	return (clock_t)(BEGIN_MONOTONIC * sysconf(_SC_CLK_TCK)) + ticks;
}

/* The processor's time is a thread's own, as all time is. */
int evr_libc_clock_getcpuclockid(pid_t pid, clockid_t *id)
{
	(void)pid;
	evr_access_store((uintptr_t)id, sizeof(*id), CLOCK_PROCESS_CPUTIME_ID, evr_call_site);
	return 0;
}

int evr_libc_pthread_getcpuclockid(pthread_t thread, clockid_t *id)
{
	(void)thread;
	evr_access_store((uintptr_t)id, sizeof(*id), CLOCK_THREAD_CPUTIME_ID, evr_call_site);
	return 0;
}

unsigned evr_libc_sleep(unsigned seconds)
{
	evr_current->time_passed += seconds * NANO;
	return 0;
}

int evr_libc_usleep(useconds_t microseconds)
{
	evr_current->time_passed += microseconds * INT64_C(1000);
	return 0;
}

static int pause_for(const struct timespec *wanted, const struct evr_site *site)
{
	struct timespec t;
	evr_access_look(&t, wanted, sizeof(t), site);
	if (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec >= NANO)
		return EINVAL;
	evr_current->time_passed += t.tv_sec * NANO + t.tv_nsec;
	return 0;
}

int evr_libc_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)left;
	int error = pause_for(wanted, evr_call_site);
	if (!error)
		return 0;
	errno = error;
	return -1;
}

int evr_libc_clock_nanosleep(clockid_t id, int flags, const struct timespec *wanted, struct timespec *left)
{
	const struct evr_site *site = evr_call_site;
	(void)left;
	if (!(flags & TIMER_ABSTIME))
		return pause_for(wanted, site);
	struct timespec until;
	evr_access_look(&until, wanted, sizeof(until), site);
	int64_t begin = id == CLOCK_REALTIME ? BEGIN_REAL : BEGIN_MONOTONIC;
	int64_t wait = (until.tv_sec - begin) * NANO + until.tv_nsec;
	if (wait > evr_current->time_passed)
		evr_current->time_passed = wait;
	return 0;
}

/* The calendar. The zone is the machine's, as it is without Everett. */

static struct tm *convert(const time_t *when, struct tm *to, struct tm *(*real)(const time_t *, struct tm *),
			  const struct evr_site *site)
{
	time_t t;
	struct tm parts;
	evr_access_look(&t, when, sizeof(t), site);
	if (!real(&t, &parts))
		return NULL;
	evr_access_write(to, &parts, sizeof(parts), site);
	return to;
}

struct tm *evr_libc_gmtime_r(const time_t *when, struct tm *to)
{
	return convert(when, to, gmtime_r, evr_call_site);
}

struct tm *evr_libc_localtime_r(const time_t *when, struct tm *to)
{
	return convert(when, to, localtime_r, evr_call_site);
}

struct tm *evr_libc_gmtime(const time_t *when)
{
	return convert(when, &evr_library.time, gmtime_r, evr_call_site);
}

struct tm *evr_libc_localtime(const time_t *when)
{
	return convert(when, &evr_library.time, localtime_r, evr_call_site);
}

/* A date of which only the first `used` bytes count, and tm_isdst if it does; whoever made it need not have set the rest. */
static void read_parts(struct tm *parts, const struct tm *from, size_t used, bool dst, const struct evr_site *site)
{
	size_t flag = offsetof(struct tm, tm_isdst), zone = flag + sizeof(parts->tm_isdst);
	char *to = (char *)parts;
	const char *bytes = (const char *)from;
	evr_access_look(to, bytes, used, site);
	evr_access_read(to + used, bytes + used, flag - used, site);
	(dst ? evr_access_look : evr_access_read)(to + flag, bytes + flag, zone - flag, site);
	evr_access_read(to + zone, bytes + zone, sizeof(*parts) - zone, site);
}

static time_t assemble(struct tm *from, time_t (*real)(struct tm *), const struct evr_site *site)
{
	struct tm parts;
	read_parts(&parts, from, offsetof(struct tm, tm_wday), true, site);
	time_t t = real(&parts);
	evr_access_write(from, &parts, sizeof(parts), site);
	return t;
}

time_t evr_libc_mktime(struct tm *from)
{
	return assemble(from, mktime, evr_call_site);
}

time_t evr_libc_timelocal(struct tm *from)
{
	return assemble(from, mktime, evr_call_site);
}

time_t evr_libc_timegm(struct tm *from)
{
	return assemble(from, timegm, evr_call_site);
}

size_t evr_libc_strftime(char *to, size_t size, const char *format, const struct tm *from)
{
	const struct evr_site *site = evr_call_site;
	struct tm parts;
	struct evr_text f, out;
	evr_text_copy(&f, format, site);
	evr_text_init(&out);
	/* Which of these the format needs is its own business. */
	read_parts(&parts, from, 0, false, site);
	/* No format makes more than a few hundred bytes of one directive. */
	size_t room = size < 64 * (f.len + 16) ? size : 64 * (f.len + 16);
	size_t n = strftime(evr_text_reserve(&out, room), room, f.data, &parts);
	if (n)
		evr_access_write_text(to, out.data, n + 1, site);
	else if (size && !f.len)
		evr_access_write_text(to, "", 1, site);
	evr_text_release(&f);
	evr_text_release(&out);
	return n;
}

char *evr_libc_strptime(const char *text, const char *format, struct tm *to)
{
	const struct evr_site *site = evr_call_site;
	struct tm parts;
	struct evr_text t, f;
	evr_text_copy(&t, text, site);
	evr_text_copy(&f, format, site);
	/* What the format does not mention stays as it is. */
	evr_access_read(&parts, to, sizeof(parts), site);
	char *end = strptime(t.data, f.data, &parts);
	char *result = end ? (char *)(uintptr_t)text + (end - t.data) : NULL;
	if (end)
		evr_access_write(to, &parts, sizeof(parts), site);
	evr_text_release(&t);
	evr_text_release(&f);
	return result;
}

static char *write_date(const struct tm *parts, char *to, const struct evr_site *site)
{
	char text[64];
	size_t n = strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y\n", parts);
	evr_access_write_text(to, text, n + 1, site);
	return to;
}

char *evr_libc_asctime_r(const struct tm *from, char *to)
{
	const struct evr_site *site = evr_call_site;
	struct tm parts;
	read_parts(&parts, from, offsetof(struct tm, tm_yday), false, site);
	return write_date(&parts, to, site);
}

char *evr_libc_asctime(const struct tm *from)
{
	return evr_libc_asctime_r(from, evr_library.date);
}

char *evr_libc_ctime_r(const time_t *when, char *to)
{
	const struct evr_site *site = evr_call_site;
	time_t t;
	struct tm parts;
	evr_access_look(&t, when, sizeof(t), site);
	return localtime_r(&t, &parts) ? write_date(&parts, to, site) : NULL;
}

char *evr_libc_ctime(const time_t *when)
{
	return evr_libc_ctime_r(when, evr_library.date);
}
