/* flags: -O1 -pthread */
/* One loop that waits for a pipe, an event counter, a timer, a signal, a folder and a child. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE, COUNTER, TIMER, SIGNAL, FOLDER, CHILD, KINDS };

static int files[KINDS], ends[2];
static long seen[KINDS];

static void *feed(void *unused)
{
	for (int i = 0; i < 100; i++) {
		write(ends[1], "0123456789", 10);
		write(files[COUNTER], &(uint64_t){ 3 }, 8);
	}
	close(ends[1]);
	return unused;
}

static int take(int kind)
{
	static char room[4096] __attribute__((aligned(8)));
	ssize_t got = kind == CHILD ? 0 : read(files[kind], room, kind == PIPE ? 7 : sizeof room);

	switch (kind) {
	case PIPE:
		seen[kind] += got;
		return got == 0;
	case COUNTER:
		seen[kind] += *(int64_t *)room;
		return seen[kind] == 300;
	case TIMER:
		seen[kind] += *(int64_t *)room;
		return seen[kind] >= 5;
	case SIGNAL:
		seen[kind] = ((struct signalfd_siginfo *)room)->ssi_int;
		return 1;
	case FOLDER:
		seen[kind] = strcmp(((struct inotify_event *)room)->name, "new");
		return 1;
	default:
		seen[kind] = waitpid(-1, (int[1]){ 0 }, 0) > 0;
		return 1;
	}
}

int main(void)
{
	int queue = epoll_create1(0), open = KINDS;
	char folder[] = "/tmp/battery.XXXXXX", name[64];
	sigset_t set;
	pthread_t feeder;
	pid_t child;

	mkdtemp(folder), snprintf(name, sizeof name, "%s/new", folder);
	sigemptyset(&set), sigaddset(&set, SIGRTMIN + 3), sigprocmask(SIG_BLOCK, &set, NULL);
	pipe2(ends, O_CLOEXEC);
	files[PIPE] = ends[0], files[COUNTER] = eventfd(0, EFD_NONBLOCK);
	files[TIMER] = timerfd_create(CLOCK_MONOTONIC, 0), files[SIGNAL] = signalfd(-1, &set, 0);
	files[FOLDER] = inotify_init1(0), inotify_add_watch(files[FOLDER], folder, IN_CREATE);
	child = fork();
	if (child == 0)
		usleep(20000), _exit(3);
	files[CHILD] = (int)syscall(SYS_pidfd_open, child, 0);
	timerfd_settime(files[TIMER], 0, &(struct itimerspec){ { 0, 2000000 }, { 0, 1000000 } }, NULL);
	for (int i = 0; i < KINDS; i++)
		epoll_ctl(queue, EPOLL_CTL_ADD, files[i], &(struct epoll_event){ EPOLLIN, { .u32 = i } });
	pthread_create(&feeder, NULL, feed, NULL);
	sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 4711 });
	close(creat(name, 0600));
	while (open > 0) {
		struct epoll_event ready[4];
		int count = epoll_pwait(queue, ready, 4, 5000, &set);

		for (int i = 0; i < count; i++)
			if (take(ready[i].data.u32)) {
				epoll_ctl(queue, EPOLL_CTL_DEL, files[ready[i].data.u32], NULL);
				open--;
			}
		if (count <= 0)
			return puts("nothing came"), 1;
	}
	pthread_join(feeder, NULL);
	printf("pipe %ld counter %ld timer %d signal %ld folder %ld child %ld\n", seen[PIPE],
			seen[COUNTER], seen[TIMER] >= 5, seen[SIGNAL], seen[FOLDER], seen[CHILD]);
	unlink(name), rmdir(folder);
	return 0;
}
