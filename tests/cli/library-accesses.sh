#!/bin/bash
# set: long
# Functions of the library access the program's memory as the program would: what is wrong with memory that one of them
# touches is found at its call. A row is a call with a pointer p, and how it uses what p points to:
#   r  reads it       c  copies it, which uninitialised memory allows       w  writes it
. "$(dirname "$0")/lib.bash"
cat >rows <<'END'
c memcpy(other, p, 8)
w memcpy(p, other, 8)
c memmove(other, p, 8)
w memmove(p, other, 8)
c mempcpy(other, p, 8)
w mempcpy(p, other, 8)
c bcopy(p, other, 8)
w bcopy(other, p, 8)
w memset(p, 1, 8)
w bzero(p, 8)
w explicit_bzero(p, 8)
r memccpy(other, p, '2', 8)
w memccpy(p, other, '2', 8)
r strcpy(other, p)
w strcpy(p, other)
r stpcpy(other, p)
w stpcpy(p, other)
r strncpy(other, p, 4)
w strncpy(p, other, 4)
r stpncpy(other, p, 4)
w stpncpy(p, other, 4)
r strcat(other, p)
r strcat(p, other)
r strncat(other, p, 4)
r free(strdup(p))
r free(strndup(p, 2))
r strxfrm(other, p, 8)
w strxfrm(p, other, 8)
r memcmp(p, other, 8)
r memcmp(other, p, 8)
r bcmp(p, other, 8)
r memchr(p, '2', 8)
r rawmemchr(p, '2')
r memrchr(p, '1', 1)
r memmem(p, 8, "2", 1)
r memmem(other, 8, p, 1)
r strlen(p)
r strnlen(p, 4)
r strcmp(p, other)
r strcmp(other, p)
r strncmp(p, other, 4)
r strcoll(p, other)
r strcasecmp(p, other)
r strncasecmp(other, p, 2)
r strverscmp(p, other)
r strchrnul(p, 'x')
r strchr(p, '2')
r strrchr(p, '2')
r index(p, '2')
r rindex(p, '2')
r strspn(p, "1")
r strspn(other, p)
r strcspn(p, "2")
r strpbrk(p, "2")
r strstr(p, "2")
r strstr(other, p)
r strcasestr(p, "2")
r strtok_r(p, " ", &rest)
r strtok(p, " ")
r strsep((char **)&p_itself, p)
w __xpg_strerror_r(2, p, 64)
r swab(p, other, 4)
w swab(other, p, 4)
r basename(p)
r dirname(p)
r strtol(p, NULL, 10)
w strtol(other, (char **)p, 10)
r strtoll(p, NULL, 10)
r strtoul(p, NULL, 10)
r strtoull(p, NULL, 10)
r strtoimax(p, NULL, 10)
r strtoumax(p, NULL, 10)
r strtod(p, NULL)
w strtod(other, (char **)p)
r strtof(p, NULL)
r strtold(p, NULL)
r atoi(p)
r atol(p)
r atoll(p)
r atof(p)
w frexp(3.0, (int *)p)
w modf(3.5, (double *)p)
w remquo(7.0, 2.0, (int *)p)
w sincos(1.0, (double *)p, &real)
r nan(p)
r rand_r((unsigned *)p)
r erand48((unsigned short *)p)
w getrandom(p, 8, 0)
w getentropy(p, 8)
w arc4random_buf(p, 8)
r printf(p)
r printf("%s", p)
r printf("%ls", (wchar_t *)p)
w printf("%n", (int *)p)
r fprintf(stderr, p)
r snprintf(other, 64, p)
w snprintf(p, 64, "%s", "text")
w sprintf(p, "%d", 1)
w asprintf((char **)p, "%d", 1)
r dprintf(1, p)
r puts(p)
r fputs(p, file)
c fwrite(p, 1, 4, file)
c fwrite(p, 4, 1, file)
c write(1, p, 4)
c pwrite(fileno(file), p, 4, 0)
w fread(p, 1, 4, file)
w fgets(p, 8, file)
w getline(&rest, (size_t *)p, file)
w read(fileno(file), p, 4)
w pread(fileno(file), p, 4, 0)
r perror(p)
r psignal(2, p)
r warnx("%s", p)
w fgetpos(file, (fpos_t *)p)
r sscanf(p, "%d", &number)
r sscanf(other, p, &number)
w sscanf("12", "%d", (int *)p)
w sscanf("12", "%s", p)
w fscanf(file, "%s", p)
r fopen(p, "r")
r fopen("none", p)
r open(p, O_RDONLY)
r remove(p)
r unlink(p)
r rename(p, "none")
r rename("none", p)
r access(p, F_OK)
w stat(".", (struct stat *)p)
r stat(p, &status)
w fstat(1, (struct stat *)p)
w getcwd(p, 256)
w open_memstream((char **)p, &size)
w time((time_t *)p)
w clock_gettime(CLOCK_REALTIME, (struct timespec *)p)
w clock_getres(CLOCK_REALTIME, (struct timespec *)p)
w timespec_get((struct timespec *)p, TIME_UTC)
w gettimeofday((struct timeval *)p, NULL)
w times((struct tms *)p)
r nanosleep((struct timespec *)p, NULL)
r clock_nanosleep(CLOCK_MONOTONIC, 0, (struct timespec *)p, NULL)
r gmtime((time_t *)p)
w gmtime_r(&when, (struct tm *)p)
r localtime((time_t *)p)
w localtime_r(&when, (struct tm *)p)
r mktime((struct tm *)p)
r timegm((struct tm *)p)
c strftime(other, 64, "%Y", (struct tm *)p)
r strftime(other, 64, p, &date)
w strftime(p, 64, "%Y", &date)
r asctime((struct tm *)p)
w asctime_r(&date, p)
r ctime((time_t *)p)
w ctime_r(&when, p)
r strptime(p, "%Y", &date)
c qsort(p, 4, 1, all_same)
r getenv(p)
r setenv(p, "x", 1)
r setenv("EVR_X", p, 1)
r unsetenv(p)
r setlocale(LC_ALL, p)
w sigemptyset((sigset_t *)p)
w sigfillset((sigset_t *)p)
r sigaddset((sigset_t *)p, 2)
r sigdelset((sigset_t *)p, 2)
r sigismember((sigset_t *)p, 2)
r sigprocmask(SIG_SETMASK, (sigset_t *)p, NULL)
r sigaction(SIGUSR1, (struct sigaction *)p, NULL)
w sigaction(SIGUSR1, NULL, (struct sigaction *)p)
w uname((struct utsname *)p)
w gethostname(p, 64)
w getrusage(RUSAGE_SELF, (struct rusage *)p)
w getrlimit(RLIMIT_STACK, (struct rlimit *)p)
r setrlimit(RLIMIT_STACK, (struct rlimit *)p)
w getrlimit64(RLIMIT_STACK, (struct rlimit64 *)p)
r setrlimit64(RLIMIT_STACK, (struct rlimit64 *)p)
r pthread_setschedparam(pthread_self(), 0, (struct sched_param *)p)
w pthread_getschedparam(pthread_self(), (int *)other, (struct sched_param *)p)
w pthread_getschedparam(pthread_self(), (int *)p, (struct sched_param *)other)
r getpwnam(p)
w syscall(SYS_getrandom, p, 8, 0)
r pthread_setname_np(pthread_self(), p)
w pthread_getname_np(pthread_self(), p, 16)
r prctl(PR_SET_NAME, p)
w prctl(PR_GET_NAME, p)
w sched_getaffinity(0, 8, (cpu_set_t *)p)
r sched_setaffinity(0, 8, (cpu_set_t *)p)
r wcslen((wchar_t *)p)
w wcscpy((wchar_t *)p, L"x")
r wcscmp((wchar_t *)p, L"x")
c wmemcpy((wchar_t *)other, (wchar_t *)p, 2)
w wmemset((wchar_t *)p, L'x', 2)
r wcstol((wchar_t *)p, NULL, 10)
w mbstowcs((wchar_t *)p, "x", 2)
r mbstowcs((wchar_t *)other, p, 4)
r wcstombs(other, (wchar_t *)p, 4)
END

cat >head.c <<'END'
#define _GNU_SOURCE
#include <err.h>
#include <everett.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#undef basename
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
char *basename(const char *);
int __xpg_strerror_r(int, char *, size_t);
static char *p, *p_itself, *rest, sink;
static char other[512] = "12";
static unsigned which;
static size_t size = 2;
static double real;
static int number;
static time_t when;
static struct tm date;
static struct stat status;
static FILE *file;
static int all_same(const void *a, const void *b) { return a == b; }
END

# The calls, and what another thread does meanwhile, each on a line that tells the row.
{
	cat head.c
	echo 'static void call(void) { switch (which) {'
	awk '{ sub(/^. /, ""); printf "case %d: (void)%s; break;\n", NR - 1, $0 }' rows
	echo '} }'
	echo 'static void *meanwhile(void *unused) { switch (which) {'
	awk '{ printf "case %d: %s; break;\n", NR - 1, $1 == "w" ? "sink = *(volatile char *)p" : "*(volatile char *)p = 49" }' rows
	echo '} return unused; }'
	cat <<'END'
int main(int argc, char **argv)
{
	char mode = argc > 1 ? argv[1][0] : 'v';
	which = everett_choose(ROWS);
	p_itself = other;
	file = tmpfile();
	fputs("12 34\n", file);
	rewind(file);
	p = malloc(mode == 'b' ? 16 : 512);
	if (mode != 'u' && mode != 'b') {
		memset(p, 0, 512);
		p[0] = '1';
		p[1] = '2';
	}
	if (mode == 'f')
		free(p);
	if (mode == 'b')
		p += 16;
	pthread_t thread;
	if (mode == 'r')
		pthread_create(&thread, NULL, meanwhile, NULL);
	call();
	if (mode == 'r')
		pthread_join(thread, NULL);
	return 0;
}
END
} >calls.c
rows=$(wc -l <rows)
first=$(($(wc -l <head.c) + 2))
run 0 "$EVERETT" cc -w -DROWS="$rows" calls.c -lm -o calls

# found MODE KIND FLAGS MODEL ENGINE OPTION...: of the rows with these flags, each has a finding of that kind, and no others.
found()
{
	local mode=$1 kind=$2 flags=$3 model=$4 engine=$5 missing
	shift 5
	"$EVERETT" run -k -m "$model" -e "$engine" --json r.json "$@" ./calls -- "$mode" >out 2>err </dev/null
	[ $? = 1 ] || fail "$mode $model/$engine: $(tail -n 1 err)"
	jq -r --argjson first "$first" --argjson rows "$rows" \
		'.results[0].findings[] | "\(.kind) \((.line - $first) % ($rows + 2) + 1)"' r.json | sort -u >actual
	awk -v kind="$kind" -v flags="$flags" 'index(flags, $1) { print kind, NR }' rows | sort -u >expected
	missing=$(comm -23 expected actual | while read -r _ row; do sed -n "$row p" rows; done)
	[ -z "$missing" ] || fail "$mode $model/$engine: no $kind found in: $missing"
	missing=$(comm -13 expected actual | while read -r other row; do echo "$other: $(sed -n "$row p" rows)"; done)
	[ -z "$missing" ] || fail "$mode $model/$engine: not expected: $missing"
}
for pair in 'sc rf' 'tso traces' 'ra rf'; do
	run 0 "$EVERETT" run -m ${pair% *} -e ${pair#* } ./calls -- valid
	has err "ok, $rows executions, complete"
	found freed use-after-free rcw $pair
	found behind out-of-bounds rcw $pair
	found uninitialised uninitialised r $pair
done
found race race rcw sc traces --races
found race race rcw tso traces --races
finish
