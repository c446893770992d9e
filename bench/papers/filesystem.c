/*
 * filesystem(N): N threads create a file each: they take the lock of an inode and look for a free block, with a lock for each
 * block. Only threads that are thirteen apart ever meet.
 */
#include "papers.h"

#ifndef N
#define N 16
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_mutex[INODES], block_mutex[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static int take(int block)
{
	pthread_mutex_lock(&block_mutex[block]);
	int taken = !busy[block];
	if (taken)
		busy[block] = 1;
	pthread_mutex_unlock(&block_mutex[block]);
	return taken;
}

static void *body(void *argument)
{
	int self = number(argument) % INODES;
	pthread_mutex_lock(&inode_mutex[self]);
	if (inode[self] == 0) {
		int block = self * 2 % BLOCKS;
		while (!take(block))
			block = (block + 1) % BLOCKS;
		inode[self] = block + 1;
	}
	pthread_mutex_unlock(&inode_mutex[self]);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&inode_mutex[i], NULL);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&block_mutex[i], NULL);
	run(N, body);
	return 0;
}
