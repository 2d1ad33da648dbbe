/*
 * `unmoved N`: threads that make system calls all the time, and threads and processes that come and
 * go, while the first thread sleeps N times for 3 ms. Each call is to succeed; those that do not
 * are said, with their errors, and the last line tells how many there were.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES 100

static char file[64];
static int ends[2];
static pthread_mutex_t robust;
static volatile int over;
static int refused;

static void check(int good, const char *call)
{
	if (good)
		return;
	__atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
	perror(call);
}

static void *opens(void *none)
{
	char byte = 'x', text[16];

	while (!over) {
		FILE *stream = fopen(file, "r");

		check(stream != NULL, "fopen");
		if (stream) {
			check(fgets(text, sizeof text, stream) != NULL, "fgets");
			fclose(stream);
		}
		if (write(ends[1], &byte, 1) != 1) {
			check(0, "write");
			continue;
		}
		check(read(ends[0], &byte, 1) == 1, "read");
	}
	return none;
}

static void *sends(void *none)
{
	int pair[2];

	check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	while (!over) {
		char sent[BYTES] = "abc", got[BYTES] = "";
		struct iovec halves[] = { { sent, BYTES / 2 }, { sent + BYTES / 2, BYTES / 2 } };
		struct iovec whole = { got, BYTES };
		struct msghdr message = { .msg_iov = &whole, .msg_iovlen = 1 };

		if (writev(pair[0], halves, 2) != BYTES) {
			check(0, "writev");
			continue;
		}
		check(recvmsg(pair[1], &message, 0) == BYTES, "recvmsg");
		check(memcmp(sent, got, BYTES) == 0, "bytes");
	}
	return none;
}

static void *holds(void *count)
{
	pthread_mutex_lock(&robust);
	++*(int *)count;
	pthread_mutex_unlock(&robust);
	return NULL;
}

static void *begets(void *none)
{
	while (!over) {
		pthread_t thread[3];
		int count = 0, status;
		pid_t child;

		for (int i = 0; i < 3; i++)
			check(pthread_create(&thread[i], NULL, holds, &count) == 0, "pthread_create");
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
		check(count == 3, "count");
		child = fork();
		if (child == 0)
			_exit(7);
		check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7,
				"child");
	}
	return none;
}

int main(int argc, char **argv)
{
	void *(*const all[])(void *) = { opens, sends, begets };
	pthread_mutexattr_t kind;
	pthread_t thread[3];
	int times = argc > 1 ? atoi(argv[1]) : 100;

	snprintf(file, sizeof file, "/proc/%d/comm", getpid());
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &kind);
	check(pipe(ends) == 0, "pipe");
	for (int i = 0; i < 3; i++)
		check(pthread_create(&thread[i], NULL, all[i], NULL) == 0, "pthread_create");
	for (int i = 0; i < times; i++)
		nanosleep(&(struct timespec){ 0, 3000000 }, NULL);
	over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d refused\n", refused);
	return 0;
}
