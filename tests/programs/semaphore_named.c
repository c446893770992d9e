// Named semaphores: who opens the same name gets the same semaphore; errors of sem_open and sem_unlink. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>
static void errors(void)
{
	static char longest[254] = "/";
	memset(longest + 1, 'x', sizeof(longest) - 2);
	errno = 0;
	assert(sem_open(longest, O_CREAT, 0600, 1) == SEM_FAILED && errno == ENAMETOOLONG);
	assert(sem_open("/everett-none", 0) == SEM_FAILED && errno == ENOENT);
	errno = 0;
	assert(sem_unlink("/everett-none") == -1 && errno == ENOENT);
	assert(sem_open("/everett-none", O_CREAT, 0600, (unsigned)INT_MAX + 1) == SEM_FAILED && errno == EINVAL);
	errno = 0;
	assert(sem_open("/everett/none", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
	errno = 0;
	assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
}
int main(void)
{
	int n = -1;
	errors();
	sem_t *s = sem_open("/everett-one", O_CREAT | O_EXCL, 0600, 2);
	assert(s != SEM_FAILED);
	errno = 0;
	assert(sem_open("/everett-one", O_CREAT | O_EXCL, 0600, 2) == SEM_FAILED && errno == EEXIST);
	/* It is there, so its value stays. */
	assert(sem_open("/everett-one", O_CREAT, 0600, 7) == s && sem_getvalue(s, &n) == 0 && n == 2);
	/* A slash more or less makes no difference. */
	sem_t *same = sem_open("everett-one", 0);
	assert(same != SEM_FAILED && sem_wait(same) == 0 && sem_getvalue(s, &n) == 0 && n == 1);
	assert(sem_post(s) == 0 && sem_getvalue(s, &n) == 0 && n == 2);
	sem_t *other = sem_open("/everett-other", O_CREAT, 0600, 5);
	assert(other != SEM_FAILED && other != s && sem_getvalue(other, &n) == 0 && n == 5);
	assert(sem_unlink("/everett-other") == 0 && sem_close(other) == 0);
	/* Without its name it lives on for whoever has it. */
	assert(sem_unlink("/everett-one") == 0);
	errno = 0;
	assert(sem_open("/everett-one", 0) == SEM_FAILED && errno == ENOENT);
	assert(sem_trywait(s) == 0 && sem_trywait(s) == 0);
	errno = 0;
	assert(sem_trywait(s) == -1 && errno == EAGAIN);
	assert(sem_close(s) == 0);
	return 0;
}
