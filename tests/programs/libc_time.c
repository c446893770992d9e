// Time begins at the same moment in every execution and passes for each thread alone.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *other(void *unused)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	assert(t.tv_sec == 1000);
	return unused;
}

int main(void)
{
	struct timespec a, b, pause = { 2, 500000000 };
	struct timeval v;
	time_t t, begin = time(&t);
	assert(begin == t && begin == 1700000000);
	assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0);
	assert(b.tv_sec > a.tv_sec || b.tv_nsec > a.tv_nsec);
	clock_t c = clock();
	assert(clock() > c && gettimeofday(&v, NULL) == 0 && v.tv_sec == begin);
	assert(sleep(10) == 0 && usleep(1000000) == 0 && poll(NULL, 0, 1) == 0 && nanosleep(&pause, NULL) == 0);
	assert(time(NULL) >= begin + 13 && time(NULL) < begin + 14);
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL) == 0 && timespec_get(&a, TIME_UTC) == TIME_UTC);
	pthread_t thread;
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);

	struct tm parts, *p;
	char text[64];
	t = 86400 + 3661;
	assert(gmtime_r(&t, &parts) == &parts && parts.tm_year == 70 && parts.tm_mday == 2 && parts.tm_hour == 1 &&
	       parts.tm_sec == 1);
	p = gmtime(&t);
	assert(p->tm_yday == 1 && timegm(p) == t && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %j", p) == 23);
	assert(!strcmp(text, "1970-01-02 01:01:01 002") && strftime(text, 3, "%Y", p) == 0);
	assert(!strcmp(asctime(p), "Fri Jan  2 01:01:01 1970\n") && asctime_r(p, text) == text && ctime(&t) &&
	       ctime_r(&t, text));
	p = localtime(&t);
	assert(mktime(p) == t && localtime_r(&t, &parts) && mktime(&parts) == t && difftime(5, 3) == 2.0);
	return 0;
}
