/*
 * Waits with a time limit, each made by one thread: some end by the limit, others by what another
 * thread does. Prints a line each: what came of it, and what it left in memory and registers.
 * `limits N`: each ends N times by a signal. A wait that goes on for a minute
 * is said to, and the program ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MILLIS 200
#define LONG_MILLIS 3600000
#define BEFORE 7777777 /* what is in memory that a wait leaves alone */

struct registers {
	long result, argument[6];
};

struct wait {
	const char *name;
	long number, argument[6];
};

static int pipes[2], epoll, semaphores;
static aio_context_t events;
static uint32_t word;
static struct timespec limit, left, absolute;
static struct timeval seconds;
static fd_set readable;
static uint64_t signals_of_two = UINT64_C(1) << (SIGUSR2 - 1);
static struct sembuf take = { 0, -1, 0 };
static struct pollfd polled;
static struct epoll_event event;
static struct io_event done_event;
/* sockets with limits of their own: ends that get nothing, one that is full, and no room to connect */
static int ends_of[2], full[2], listener, busy_listener, connecting;
static struct sockaddr_un busy_address = { .sun_family = AF_UNIX };
static char byte;
static volatile uint32_t begun; /* waits so far */
static volatile int handled;
static const char *volatile name_now = "the first";
static volatile long number_now; /* of the system call that waits */

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static struct registers call(long number, const long *a)
{
	struct registers after;
	register long r10 __asm__("r10") = a[3];
	register long r8 __asm__("r8") = a[4];
	register long r9 __asm__("r9") = a[5];
	long rdi = a[0], rsi = a[1], rdx = a[2];

	__asm__ volatile("syscall"
					 : "=a"(after.result), "+D"(rdi), "+S"(rsi), "+d"(rdx), "+r"(r10), "+r"(r8),
					 "+r"(r9)
					 : "0"(number)
					 : "rcx", "r11", "memory");
	after.argument[0] = rdi;
	after.argument[1] = rsi;
	after.argument[2] = rdx;
	after.argument[3] = r10;
	after.argument[4] = r8;
	after.argument[5] = r9;
	return after;
}

/* ---------------------------------------------------------------- sockets */

static int stream(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int sockets_make(void)
{
	const socklen_t size = sizeof busy_address;
	const int first = stream();

	listener = stream();
	busy_listener = stream();
	connecting = stream();
	snprintf(busy_address.sun_path + 1, sizeof busy_address.sun_path - 1, "madt-limits-%d",
			(int)getpid());
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_of) != 0
			|| socketpair(AF_UNIX, SOCK_STREAM, 0, full) != 0
			|| bind(listener, (const struct sockaddr *)&(sa_family_t){ AF_UNIX },
					   sizeof(sa_family_t))
					!= 0
			|| listen(listener, 1) != 0
			|| bind(busy_listener, (const struct sockaddr *)&busy_address, size) != 0
			|| listen(busy_listener, 0) != 0
			|| connect(first, (const struct sockaddr *)&busy_address, size) != 0)
		return 0;
	while (send(full[0], "x", 1, MSG_DONTWAIT) == 1)
		;
	return errno == EAGAIN;
}

static void sockets_limit(long millis)
{
	const struct timeval time = { millis / 1000, millis % 1000 * 1000 };

	setsockopt(ends_of[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
	setsockopt(full[0], SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
	setsockopt(connecting, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

/* ---------------------------------------------------------------- what is there before it */

static void set(long millis)
{
	limit.tv_sec = millis / 1000;
	limit.tv_nsec = millis % 1000 * 1000000;
	seconds.tv_sec = millis / 1000;
	seconds.tv_usec = millis % 1000 * 1000;
	left.tv_sec = left.tv_nsec = BEFORE;
	FD_ZERO(&readable);
	FD_SET(pipes[0], &readable);
	polled.fd = pipes[0];
	polled.events = POLLIN;
	word = 0;
	sockets_limit(millis);
}

static const char *state(int64_t nanos, long millis)
{
	return nanos == 0                                        ? "nothing"
			: nanos == millis * 1000000                      ? "all"
			: nanos > 0 && nanos < millis * INT64_C(1000000) ? "some"
															 : "else";
}

static void print_left(long millis)
{
	printf(", limit %s", state(limit.tv_sec * INT64_C(1000000000) + limit.tv_nsec, millis));
	printf(", timeval %s",
			state(seconds.tv_sec * INT64_C(1000000000) + seconds.tv_usec * 1000, millis));
	if (left.tv_sec == BEFORE && left.tv_nsec == BEFORE)
		puts(", rest as before");
	else
		printf(", rest %s\n", state(left.tv_sec * INT64_C(1000000000) + left.tv_nsec, millis));
}

static void make(const struct wait *wait, long millis, const char *how)
{
	struct registers after;
	int64_t at;

	name_now = wait->name;
	number_now = wait->number;
	set(millis);
	at = now();
	begun++;
	after = call(wait->number, wait->argument);
	printf("%s%s: %ld", wait->name, how, after.result);
	if ((after.result == 0 || after.result == -EAGAIN) && millis == MILLIS
			&& now() - at < MILLIS * 1000000)
		printf(", too early");
	if (memcmp(after.argument, wait->argument, sizeof after.argument) != 0)
		printf(", registers changed");
	print_left(millis);
}

/* ---------------------------------------------------------------- the waits */

#define A(pointer) ((long)(pointer))
#define WAITS 25

static struct wait waits[WAITS];

static void waits_set(int millis)
{
	const struct wait all[WAITS] = {
		{ "nanosleep", SYS_nanosleep, { A(&limit) } },
		{ "nanosleep with a rest", SYS_nanosleep, { A(&limit), A(&left) } },
		{ "nanosleep with its rest in the limit", SYS_nanosleep, { A(&limit), A(&limit) } },
		{ "clock_nanosleep", SYS_clock_nanosleep, { CLOCK_MONOTONIC, 0, A(&limit), A(&left) } },
		{ "poll", SYS_poll, { A(&polled), 1, millis } },
		{ "ppoll", SYS_ppoll, { A(&polled), 1, A(&limit), 0, 8 } },
		{ "select", SYS_select, { pipes[0] + 1, A(&readable), 0, 0, A(&seconds) } },
		{ "pselect6", SYS_pselect6, { pipes[0] + 1, A(&readable), 0, 0, A(&limit), 0 } },
		{ "epoll_wait", SYS_epoll_wait, { epoll, A(&event), 1, millis } },
		{ "epoll_pwait", SYS_epoll_pwait, { epoll, A(&event), 1, millis, 0, 8 } },
		{ "epoll_pwait2", SYS_epoll_pwait2, { epoll, A(&event), 1, A(&limit), 0, 8 } },
		{ "epoll_pwait with a mask", SYS_epoll_pwait,
				{ epoll, A(&event), 1, millis, A(&signals_of_two), 8 } },
		{ "ppoll with a mask", SYS_ppoll, { A(&polled), 1, A(&limit), A(&signals_of_two), 8 } },
		{ "futex", SYS_futex, { A(&word), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, A(&limit) } },
		{ "futex until", SYS_futex,
				{ A(&word), FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, A(&absolute), 0, -1 } },
		{ "rt_sigtimedwait", SYS_rt_sigtimedwait, { A(&signals_of_two), 0, A(&limit), 8 } },
		{ "semtimedop", SYS_semtimedop, { semaphores, A(&take), 1, A(&limit) } },
		{ "io_getevents", SYS_io_getevents, { (long)events, 1, 1, A(&done_event), A(&limit) } },
		{ "io_pgetevents", SYS_io_pgetevents,
				{ (long)events, 1, 1, A(&done_event), A(&limit), 0 } },
		{ "recvfrom", SYS_recvfrom, { ends_of[0], A(&byte), 1 } },
		{ "read of a socket", SYS_read, { ends_of[0], A(&byte), 1 } },
		{ "accept", SYS_accept, { listener } },
		{ "sendto", SYS_sendto, { full[0], A(&byte), 1 } },
		{ "write to a socket", SYS_write, { full[0], A(&byte), 1 } },
		{ "connect", SYS_connect, { connecting, A(&busy_address), sizeof busy_address } },
	};

	memcpy(waits, all, sizeof waits);
}

static void until_set(struct timespec *until, clockid_t clock, long millis)
{
	clock_gettime(clock, until);
	until->tv_sec += millis / 1000;
	until->tv_nsec += millis % 1000 * 1000000;
	if (until->tv_nsec >= 1000000000) {
		until->tv_nsec -= 1000000000;
		until->tv_sec++;
	}
}

/* ---------------------------------------------------------------- those that end by the limit */

static void libc_waits(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec until;
	sem_t semaphore;

	begun++;
	printf("usleep: %d\n", usleep(MILLIS * 1000));
	begun++;
	printf("sleep: %u\n", sleep(1));
	until_set(&until, CLOCK_REALTIME, MILLIS);
	pthread_mutex_lock(&mutex);
	begun++;
	printf("pthread_cond_timedwait: %d\n", pthread_cond_timedwait(&condition, &mutex, &until));
	pthread_mutex_unlock(&mutex);
	sem_init(&semaphore, 0, 0);
	until_set(&until, CLOCK_REALTIME, MILLIS);
	begun++;
	printf("sem_timedwait: %d", sem_timedwait(&semaphore, &until));
	printf(", %s\n", strerror(errno));
}

static void all_out(void)
{
	waits_set(MILLIS);
	for (size_t i = 0; i < WAITS; i++) {
		until_set(&absolute, CLOCK_MONOTONIC, MILLIS);
		make(&waits[i], MILLIS, "");
	}
	libc_waits();
}

/* ---------------------------------------------------------------- those that others end */

static pthread_t waiter;
static char waiter_call[64]; /* where the kernel says in which call it is: proc(5) */

static void on_signal(int number)
{
	(void)number;
	handled++;
}

static void moment(long nanos)
{
	nanosleep(&(struct timespec){ 0, nanos }, NULL);
}

static int is_waiting(void)
{
	long number = -1;
	FILE *file = fopen(waiter_call, "r");

	if (!file) {
		perror(waiter_call);
		abort();
	}
	if (fscanf(file, "%ld", &number) != 1)
		number = -1;
	fclose(file);
	return number == number_now;
}

/* Returns when the next wait has begun, some time later. */
static void next_await(uint32_t *seen)
{
	static unsigned nanos = 5000000;

	while (begun == *seen)
		moment(200000);
	while (!is_waiting())
		moment(200000);
	*seen = begun;
	nanos = nanos * 1103515245u + 12345u;
	moment(nanos % 40000000u);
}

static int signalled; /* waits that a signal is to end */

static void *ends(void *waits_before)
{
	uint32_t seen = *(uint32_t *)waits_before;

	for (int i = 0; i < signalled; i++) {
		next_await(&seen);
		pthread_kill(waiter, SIGUSR1);
	}
	next_await(&seen);
	while (syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0) == 0)
		moment(1000000);
	next_await(&seen);
	semop(semaphores, &(struct sembuf){ 0, 1, 0 }, 1);
	next_await(&seen);
	pthread_kill(waiter, SIGUSR2);
	next_await(&seen);
	if (write(pipes[1], "x", 1) != 1) {
		perror("write");
		abort();
	}
	next_await(&seen);
	if (write(ends_of[1], "x", 1) != 1)
		abort();
	return NULL;
}

static const struct wait *wait_of(const char *name)
{
	for (size_t i = 0; i < WAITS; i++)
		if (strcmp(waits[i].name, name) == 0)
			return &waits[i];
	abort();
}

static void all_ended(int rounds)
{
	static const char *const ready[] = { "poll", "ppoll", "select", "pselect6", "epoll_wait",
		"epoll_pwait2" };
	const struct wait pause = { "pause", SYS_pause, { 0 } };
	uint32_t before = begun;
	pthread_t thread;

	waits_set(LONG_MILLIS);
	until_set(&absolute, CLOCK_MONOTONIC, LONG_MILLIS);
	signalled = rounds * (WAITS + 1);
	pthread_create(&thread, NULL, ends, &before);
	for (int i = 0; i < rounds; i++) {
		for (size_t k = 0; k < WAITS; k++)
			make(&waits[k], LONG_MILLIS, " and a signal");
		make(&pause, LONG_MILLIS, " and a signal");
	}
	printf("%d signals\n", handled);
	make(wait_of("futex"), LONG_MILLIS, " and a wake");
	make(wait_of("semtimedop"), LONG_MILLIS, " and a unit");
	make(wait_of("rt_sigtimedwait"), LONG_MILLIS, " and its signal");
	for (size_t i = 0; i < sizeof ready / sizeof *ready; i++)
		make(wait_of(ready[i]), LONG_MILLIS, " and a byte");
	make(wait_of("recvfrom"), LONG_MILLIS, " and a byte");
	pthread_join(thread, NULL);
}

/* ---------------------------------------------------------------- the watch */

static void *watch(void *none)
{
	uint32_t seen = 0;

	for (int moments = 0; moments < 6000; moments++) {
		if (begun != seen)
			moments = 0;
		seen = begun;
		moment(10000000);
	}
	printf("%s does not end\n", name_now);
	fflush(stdout);
	_exit(1);
	return none;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t watcher;
	sigset_t two;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&two);
	sigaddset(&two, SIGUSR2);
	sigprocmask(SIG_BLOCK, &two, NULL);
	waiter = pthread_self();
	snprintf(waiter_call, sizeof waiter_call, "/proc/self/task/%d/syscall", getpid());
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	if (pipe(pipes) != 0 || (epoll = epoll_create1(0)) < 0 || semaphores < 0
			|| syscall(SYS_io_setup, 4, &events) != 0 || !sockets_make())
		return 1;
	event.events = EPOLLIN;
	epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event);
	pthread_create(&watcher, NULL, watch, NULL);
	all_out();
	all_ended(argc > 1 ? atoi(argv[1]) : 1);
	semctl(semaphores, 0, IPC_RMID);
	return 0;
}
