/*
 * Ways to hand something to another thread through the kernel, none of which is a race (clean_…),
 * and some that look like it (race_…). Argument 1 says with what the names begin of those that are
 * run; without one it prints them all.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "ways.h"

static long handed, raced, taken;
static int ends[2], others[2];
static pthread_t taker;

#define OK(done)     \
	do {             \
		if (!(done)) \
			abort(); \
	} while (0)

/* What every thread that gives does first, and every one that takes last. */
static void give(void)
{
	handed = 7;
}

static void take(void)
{
	taken = handed;
}

/* A way: what is made before the threads begin, and what either of them does. */
#define WAY_OF(name, make, gives, takes) \
	static void *name(void *number)      \
	{                                    \
		if (number == NULL) {            \
			make;                        \
		} else if (number == &ends[0]) { \
			gives;                       \
		} else {                         \
			takes;                       \
		}                                \
		return NULL;                     \
	}

static char byte[2] = "b", got[2];
static const struct iovec vector[1] = { { byte, 1 } }, got_vector[1] = { { got, 1 } };

WAY_OF(clean_pipe, OK(pipe(ends) == 0), give();
		OK(write(ends[1], byte, 1) == 1), OK(read(ends[0], got, 1) == 1); take())
/* Who has received something may do what it likes with where it came from. */
WAY_OF(clean_buffer, OK(pipe(ends) == 0), give();
		OK(write(ends[1], byte, 1) == 1), OK(read(ends[0], got, 1) == 1); take(); byte[0] = 'c')
WAY_OF(clean_vectors, OK(pipe(ends) == 0), give();
		OK(writev(ends[1], vector, 1) == 1), OK(readv(ends[0], got_vector, 1) == 1); take())
WAY_OF(clean_end, OK(pipe(ends) == 0), give(); close(ends[1]), OK(read(ends[0], got, 1) == 0);
		take())

static void stream_write(void)
{
	FILE *file = fdopen(ends[1], "w");

	fputs("b\n", file);
	fclose(file);
}

static void stream_read(void)
{
	FILE *file = fdopen(ends[0], "r");
	char line[8];

	OK(fgets(line, sizeof line, file));
	fclose(file);
}

WAY_OF(clean_stream, OK(pipe(ends) == 0), give(); stream_write(), stream_read(); take())

static void event_wait(void)
{
	uint64_t count;

	OK(read(ends[0], &count, sizeof count) == sizeof count);
}

static void event_add(void)
{
	uint64_t one = 1;

	OK(write(ends[0], &one, sizeof one) == sizeof one);
}

WAY_OF(clean_eventfd, ends[0] = eventfd(0, 0), give(); event_add(), event_wait(); take())

#define PAIR(type) OK(socketpair(AF_UNIX, type, 0, ends) == 0)
WAY_OF(clean_pair, PAIR(SOCK_STREAM), give();
		OK(send(ends[1], byte, 1, 0) == 1), OK(recv(ends[0], got, 1, 0) == 1); take())
WAY_OF(clean_pair_of_datagrams, PAIR(SOCK_DGRAM), give();
		OK(write(ends[1], byte, 1) == 1), OK(recvfrom(ends[0], got, 1, 0, NULL, NULL) == 1); take())
WAY_OF(clean_packets, PAIR(SOCK_SEQPACKET), give();
		OK(send(ends[1], byte, 1, 0) == 1), OK(read(ends[0], got, 1) == 1); take())

/* A server's socket, bound to an address of its own, in ends[0], and its address. */
static union {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
} server;
static socklen_t server_length;

static void bind_to(int family, int type)
{
	memset(&server, 0, sizeof server);
	server.any.sa_family = (sa_family_t)family;
	server_length = family == AF_UNIX ? sizeof(sa_family_t) : sizeof server.in;
	if (family == AF_INET)
		server.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ends[0] = socket(family, type, 0);
	OK(bind(ends[0], &server.any, server_length) == 0);
	server_length = sizeof server;
	OK(getsockname(ends[0], &server.any, &server_length) == 0);
}

/* A connection: ends[0] the server's end of it, ends[1] the client's. */
static void connect_by(int family)
{
	int listens;

	bind_to(family, SOCK_STREAM);
	listens = ends[0];
	ends[1] = socket(family, SOCK_STREAM, 0);
	OK(listen(listens, 1) == 0);
	OK(connect(ends[1], &server.any, server_length) == 0);
	ends[0] = accept(listens, NULL, NULL);
	OK(ends[0] >= 0);
}

static void message_send(int fd, const void *to, socklen_t length)
{
	struct msghdr message = { .msg_name = (void *)to,
		.msg_namelen = length,
		.msg_iov = (struct iovec *)vector,
		.msg_iovlen = 1 };

	OK(sendmsg(fd, &message, 0) == 1);
}

static void message_receive(int fd)
{
	struct mmsghdr messages[1] = {
		{ .msg_hdr = { .msg_iov = (struct iovec *)got_vector, .msg_iovlen = 1 } }
	};

	OK(recvmmsg(fd, messages, 1, 0, NULL) == 1);
}

WAY_OF(clean_tcp, connect_by(AF_INET), give();
		OK(write(ends[1], byte, 1) == 1), OK(recv(ends[0], got, 1, 0) == 1); take())
WAY_OF(clean_tcp_back, connect_by(AF_INET), give();
		message_send(ends[0], NULL, 0), OK(readv(ends[1], got_vector, 1) == 1); take())
WAY_OF(clean_unix, connect_by(AF_UNIX), give();
		OK(send(ends[1], byte, 1, 0) == 1), message_receive(ends[0]); take())
WAY_OF(clean_unix_back, connect_by(AF_UNIX), give();
		OK(send(ends[0], byte, 1, 0) == 1), OK(read(ends[1], got, 1) == 1); take())
WAY_OF(clean_shutdown, connect_by(AF_INET), give();
		shutdown(ends[0], SHUT_WR), OK(read(ends[1], got, 1) == 0); take())

static void datagram_to(void)
{
	int fd = socket(server.any.sa_family, SOCK_DGRAM, 0);

	OK(sendto(fd, byte, 1, 0, &server.any, server_length) == 1);
}

static void datagram_connected(void)
{
	int fd = socket(server.any.sa_family, SOCK_DGRAM, 0);

	OK(connect(fd, &server.any, server_length) == 0);
	OK(send(fd, byte, 1, 0) == 1);
}

static void datagram_message(void)
{
	message_send(socket(server.any.sa_family, SOCK_DGRAM, 0), &server.any, server_length);
}

WAY_OF(clean_udp, bind_to(AF_INET, SOCK_DGRAM), give();
		datagram_to(), OK(recv(ends[0], got, 1, 0) == 1); take())
WAY_OF(clean_udp_connected, bind_to(AF_INET, SOCK_DGRAM), give();
		datagram_connected(), message_receive(ends[0]); take())
WAY_OF(clean_unix_datagrams, bind_to(AF_UNIX, SOCK_DGRAM), give();
		datagram_message(), OK(recv(ends[0], got, 1, 0) == 1); take())

static mqd_t queue;

static void queue_make(void)
{
	struct mq_attr few = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	char name[32];

	snprintf(name, sizeof name, "/handed-%d", (int)getpid());
	queue = mq_open(name, O_CREAT | O_RDWR, 0600, &few);
	OK(queue != (mqd_t)-1);
	mq_unlink(name);
}

static void queue_receive(void)
{
	char room[8];

	OK(mq_receive(queue, room, sizeof room, NULL) == 1);
}

WAY_OF(clean_queue, queue_make(), give(); OK(mq_send(queue, byte, 1, 0) == 0), queue_receive();
		take())

static struct {
	long type;
	char text[1];
} message = { 1, "m" };

static void messages_receive(void)
{
	OK(msgrcv(ends[0], &message, 1, 0, 0) == 1);
	msgctl(ends[0], IPC_RMID, NULL);
}

WAY_OF(clean_messages, ends[0] = msgget(IPC_PRIVATE, 0600), give();
		OK(msgsnd(ends[0], &message, 1, 0) == 0), messages_receive(); take())

static void semaphore_change(short by)
{
	OK(semop(ends[0], &(struct sembuf){ .sem_op = by }, 1) == 0);
	if (by < 0)
		semctl(ends[0], 0, IPC_RMID);
}

WAY_OF(clean_semaphores, ends[0] = semget(IPC_PRIVATE, 1, 0600), give();
		semaphore_change(1), semaphore_change(-1); take())

/* Signals: one that is waited for, and one whose handler interrupts a thread. */
static void signal_wait(void)
{
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigwait(&set, &got);
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	take();
	handled = 1;
}

static void handler_wait(void)
{
	while (!handled)
		usleep(1000);
}

#define HANDLER  \
	handled = 0; \
	signal(SIGUSR2, handle)
WAY_OF(clean_signal, (void)0, give(); pthread_kill(taker, SIGUSR1), signal_wait(); take())
WAY_OF(clean_signal_of_process, (void)0, give(); kill(getpid(), SIGUSR1), signal_wait(); take())
WAY_OF(clean_handler, HANDLER, give(); pthread_kill(taker, SIGUSR2), handler_wait())
WAY_OF(clean_handler_queued, HANDLER, give();
		pthread_sigqueue(taker, SIGUSR2, (union sigval){ .sival_int = 1 }), handler_wait())

/* A pipe of the two orders nothing behind it, and other pipes nothing at all. */
WAY_OF(race_behind, OK(pipe(ends) == 0), OK(write(ends[1], byte, 1) == 1);
		raced = 7, OK(read(ends[0], got, 1) == 1); taken = raced)
WAY_OF(race_other_pipe, OK(pipe(ends) == 0 && pipe(others) == 0 && write(others[1], byte, 1) == 1),
		raced = 7;
		OK(write(ends[1], byte, 1) == 1), OK(read(others[0], got, 1) == 1); taken = raced)

static void other_connection(void)
{
	connect_by(AF_INET);
	memcpy(others, ends, sizeof ends);
	connect_by(AF_INET);
	OK(write(others[1], byte, 1) == 1);
}

WAY_OF(race_other_connection, other_connection(), raced = 7;
		OK(write(ends[1], byte, 1) == 1), OK(read(others[0], got, 1) == 1); taken = raced)
/* Both send: neither waits for the other one. */
WAY_OF(race_both_send, connect_by(AF_INET), raced = 7;
		OK(write(ends[1], byte, 1) == 1), OK(write(ends[0], byte, 1) == 1); taken = raced)

static const struct way ways[] = {
	WAY(clean_pipe),
	WAY(clean_buffer),
	WAY(clean_vectors),
	WAY(clean_end),
	WAY(clean_stream),
	WAY(clean_eventfd),
	WAY(clean_pair),
	WAY(clean_pair_of_datagrams),
	WAY(clean_packets),
	WAY(clean_tcp),
	WAY(clean_tcp_back),
	WAY(clean_unix),
	WAY(clean_unix_back),
	WAY(clean_shutdown),
	WAY(clean_udp),
	WAY(clean_udp_connected),
	WAY(clean_unix_datagrams),
	WAY(clean_queue),
	WAY(clean_messages),
	WAY(clean_semaphores),
	WAY(clean_signal),
	WAY(clean_signal_of_process),
	WAY(clean_handler),
	WAY(clean_handler_queued),
	WAY(race_behind),
	WAY(race_other_pipe),
	WAY(race_other_connection),
	WAY(race_both_send),
};

static void run(const struct way *way)
{
	pthread_t giver;

	way->work(NULL);
	pthread_create(&taker, NULL, way->work, &ends[1]);
	pthread_create(&giver, NULL, way->work, &ends[0]);
	pthread_join(taker, NULL);
	pthread_join(giver, NULL);
	handed = raced = taken;
}

int main(int argc, char **argv)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL); /* and in all threads, too */
	return run_ways(argc, argv, ways, sizeof ways / sizeof *ways, run);
}
