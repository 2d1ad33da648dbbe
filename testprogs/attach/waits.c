/*
 * Waits in many ways at once, each in a thread of its own, and says how each wait ended: the result,
 * and the errno value. What waits without a time limit is let go at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <sys/prctl.h>
#include <unistd.h>

static int seconds = 2; /* of each wait with a time limit: the first argument */
static struct timespec limit;
static int quiet[2]; /* a pipe that says nothing */
static int late[2];  /* one that says something at the end */
static int held;     /* a file that somebody has locked, until the end */
static char folder[] = "/tmp/madt-waits-XXXXXX";

static struct timespec in(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += seconds;
	return time;
}

static long wait_nanosleep(void)
{
	return nanosleep(&limit, NULL);
}
static long wait_sleep_until(void)
{
	struct timespec until = in(CLOCK_MONOTONIC);

	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
static long wait_clock(void)
{
	return -clock_nanosleep(CLOCK_REALTIME, 0, &limit, NULL);
}
static long wait_poll(void)
{
	struct pollfd one = { quiet[0], POLLIN, 0 };

	return poll(&one, 1, seconds * 1000);
}
static long wait_ppoll(void)
{
	struct pollfd one = { quiet[0], POLLIN, 0 };
	sigset_t set;

	sigemptyset(&set);
	return ppoll(&one, 1, &limit, &set);
}
static long wait_select(void)
{
	struct timeval time = { seconds, 0 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(quiet[0], &set);
	return select(quiet[0] + 1, &set, NULL, NULL, &time);
}
static long wait_pselect(void)
{
	sigset_t set;

	sigemptyset(&set);
	return pselect(0, NULL, NULL, NULL, &limit, &set);
}
static long wait_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(epoll_create1(0), &event, 1, seconds * 1000);
}
static long wait_epoll_mask(void)
{
	struct epoll_event event;
	sigset_t set;

	sigemptyset(&set);
	return epoll_pwait(epoll_create1(0), &event, 1, seconds * 1000, &set);
}
static long wait_futex(void)
{
	static unsigned word = 1;

	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &limit, NULL, 0);
}
static long wait_semaphore(void)
{
	struct timespec until = in(CLOCK_REALTIME);
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	return sem_timedwait(&semaphore, &until);
}
static long wait_condition(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec until = in(CLOCK_REALTIME);

	pthread_mutex_lock(&mutex);
	return -pthread_cond_timedwait(&condition, &mutex, &until);
}
static long wait_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &limit);
}
static long wait_receive(void)
{
	struct timeval time = { seconds, 0 };
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0
			|| setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) != 0)
		return -100;
	return recv(ends[0], &byte, 1, 0);
}
static long wait_accept(void)
{
	struct timeval time = { seconds, 0 };
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	if (listen(listener, 1) != 0
			|| setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) != 0)
		return -100;
	return accept(listener, NULL, NULL);
}
static long wait_read_socket(void)
{
	struct timeval time = { seconds, 0 };
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0
			|| setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) != 0)
		return -100;
	return read(ends[0], &byte, 1);
}
static long wait_send(void)
{
	struct timeval time = { seconds, 0 };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0
			|| setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time) != 0)
		return -100;
	while (send(ends[0], "x", 1, MSG_DONTWAIT) == 1)
		;
	return send(ends[0], "x", 1, 0);
}
/* Nobody accepts: the second or third one waits. */
static long wait_connect(void)
{
	struct timeval time = { seconds, 0 };
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), one;
	long result;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 0) != 0
			|| getsockname(listener, (struct sockaddr *)&address, &size) != 0)
		return -100;
	do {
		one = socket(AF_INET, SOCK_STREAM, 0);
		setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
		result = connect(one, (struct sockaddr *)&address, size);
	} while (result == 0);
	return result;
}
static long wait_connect_unix(void)
{
	struct timeval time = { seconds, 0 };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), one;
	long result;

	snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "madt-waits-%d", (int)getpid());
	if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0
			|| listen(listener, 0) != 0)
		return -100;
	do {
		one = socket(AF_UNIX, SOCK_STREAM, 0);
		setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
		result = connect(one, (struct sockaddr *)&address, sizeof address);
	} while (result == 0);
	return result;
}
static long wait_set(void)
{
	struct sembuf down = { 0, -1, 0 };
	int set = semget(IPC_PRIVATE, 1, 0600);
	long result = semtimedop(set, &down, 1, &limit);
	int error = errno;

	semctl(set, 0, IPC_RMID);
	errno = error;
	return result;
}
static long wait_queue(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	struct timespec until = in(CLOCK_REALTIME);
	char name[64], message[8];
	mqd_t queue;

	snprintf(name, sizeof name, "/madt-waits-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	mq_unlink(name);
	return mq_timedreceive(queue, message, sizeof message, NULL, &until);
}
static long wait_read(void)
{
	char byte;

	return read(late[0], &byte, 1);
}
static long wait_watch(void)
{
	int watch = inotify_init1(0);
	char event[512];

	inotify_add_watch(watch, folder, IN_CREATE);
	return read(watch, event, sizeof event) > 0;
}
static long wait_lock(void)
{
	char path[64];

	snprintf(path, sizeof path, "%s/held", folder);
	return flock(open(path, O_RDWR), LOCK_EX);
}
static long wait_child(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		sleep(seconds + 1);
		_exit(9);
	}
	return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -100;
}
static int messages;
static long wait_message(void)
{
	struct {
		long type;
		char text[8];
	} message;

	return msgrcv(messages, &message, sizeof message.text, 0, 0);
}

static const struct kind {
	const char *name;
	long (*wait)(void);
} kinds[] = {
	{ "nanosleep", wait_nanosleep },
	{ "clock_nanosleep until", wait_sleep_until },
	{ "clock_nanosleep", wait_clock },
	{ "poll", wait_poll },
	{ "ppoll", wait_ppoll },
	{ "select", wait_select },
	{ "pselect", wait_pselect },
	{ "epoll_wait", wait_epoll },
	{ "epoll_pwait", wait_epoll_mask },
	{ "futex", wait_futex },
	{ "sem_timedwait", wait_semaphore },
	{ "pthread_cond_timedwait", wait_condition },
	{ "sigtimedwait", wait_signal },
	{ "recv", wait_receive },
	{ "accept", wait_accept },
	{ "read socket", wait_read_socket },
	{ "send", wait_send },
	{ "connect", wait_connect },
	{ "connect unix", wait_connect_unix },
	{ "semtimedop", wait_set },
	{ "mq_timedreceive", wait_queue },
	{ "read", wait_read },
	{ "read inotify", wait_watch },
	{ "flock", wait_lock },
	{ "waitpid", wait_child },
	{ "msgrcv", wait_message },
};
#define KINDS (sizeof kinds / sizeof *kinds)

static struct {
	long result;
	int error;
	double seconds;
} ended[KINDS];

static void *wait_one(void *number)
{
	const size_t i = (size_t)number;
	struct timespec begun, now;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	errno = 0;
	ended[i].result = kinds[i].wait();
	ended[i].error = ended[i].result < 0 ? errno : 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ended[i].seconds = (double)(now.tv_sec - begun.tv_sec)
			+ 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
	return NULL;
}

/* The arguments: the seconds of waits with a time limit; with a second one, how long each was. */
int main(int count, char **arguments)
{
	struct {
		long type;
		char text[8];
	} message = { 1, "later" };
	pthread_t thread[KINDS];
	char path[64];
	sigset_t set;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	seconds = count > 1 ? atoi(arguments[1]) : seconds;
	limit.tv_sec = seconds;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	messages = msgget(IPC_PRIVATE, 0600);
	if (pipe(quiet) || pipe(late) || !mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/held", folder);
	held = open(path, O_RDWR | O_CREAT, 0600);
	flock(held, LOCK_EX);
	for (size_t i = 0; i < KINDS; i++)
		pthread_create(&thread[i], NULL, wait_one, (void *)i);
	printf("waiting\n");
	fflush(stdout);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ seconds + 2, 0 }, NULL);
	flock(held, LOCK_UN);
	msgsnd(messages, &message, sizeof message.text, 0);
	if (write(late[1], "", 1) != 1 || creat(strcat(path, "2"), 0600) < 0)
		return 1;
	for (size_t i = 0; i < KINDS; i++)
		pthread_join(thread[i], NULL);
	for (size_t i = 0; i < KINDS; i++)
		if (count > 2)
			printf("%s: %ld (%s) %.3f s\n", kinds[i].name, ended[i].result,
					strerror(ended[i].error), ended[i].seconds);
		else
			printf("%s: %ld (%s)\n", kinds[i].name, ended[i].result, strerror(ended[i].error));
	msgctl(messages, IPC_RMID, NULL);
	unlink(path);
	path[strlen(path) - 1] = 0;
	unlink(path);
	rmdir(folder);
	return 0;
}
