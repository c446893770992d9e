/* A string buffer: append() asks the other one for its length and then for its characters, and that may have become shorter in between. */
#include "hunt.h"

#include <string.h>

struct buffer {
	pthread_mutex_t lock;
	int length;
	char text[16];
};

static struct buffer from = { PTHREAD_MUTEX_INITIALIZER, 5, "hello" }, to = { PTHREAD_MUTEX_INITIALIZER, 0, "" };

static int length_of(struct buffer *b)
{
	pthread_mutex_lock(&b->lock);
	int n = b->length;
	pthread_mutex_unlock(&b->lock);
	return n;
}

static void copy(struct buffer *b, int n, char *out)
{
	pthread_mutex_lock(&b->lock);
	assert(n <= b->length);
	memcpy(out, b->text, (size_t)n);
	pthread_mutex_unlock(&b->lock);
}

static void append(void)
{
	pthread_mutex_lock(&to.lock);
	int n = length_of(&from);
	copy(&from, n, to.text + to.length);
	to.length += n;
	pthread_mutex_unlock(&to.lock);
}

static void erase(void)
{
	pthread_mutex_lock(&from.lock);
	from.length = 0;
	pthread_mutex_unlock(&from.lock);
}

static void body(int number)
{
	number ? erase() : append();
}

int main(void)
{
	run(2, body);
	return 0;
}
