/*
 * System calls whose arguments, lists and buffers all lie in traced memory (`area`): results as
 * ever. Behind each call stands what the kernel read and wrote there, as lines `expect G|W OFFSET
 * LENGTH`; match_calls.awk compares them with the recorded bulk transfers. The calls are made by
 * syscall(2), so that no interposed function stands between.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AREA 65536

static char area[AREA] __attribute__((aligned(4096)));
static size_t used;
static char expected[65536];

/* Room in the area, each piece on a cache line of its own and at odd distances from the next. */
static void *place(size_t size)
{
	char *at = area + used;

	used += (size + 64 + 63) & ~(size_t)63;
	if (used > AREA - 8192)
		used = 0;
	memset(at, 0, size);
	return at;
}

static char *text(const char *content)
{
	return strcpy(place(strlen(content) + 1), content);
}

static void expect(char kind, const void *at, size_t length)
{
	sprintf(expected + strlen(expected), "expect %c %ld %zu\n", kind,
			(long)((const char *)at - area), length);
}

static long checked(const char *name, long result)
{
	if (result < 0)
		printf("%s: %s\n", name, strerror(errno));
	else
		printf("%s: %s\n", name, result ? "positive" : "0");
	return result;
}

/* For numbers that the system chooses: the first queue after a boot is 0. */
static long identified(const char *name, long result)
{
	if (result < 0)
		printf("%s: %s\n", name, strerror(errno));
	else
		printf("%s: an identifier\n", name);
	return result;
}

#define IDENTIFIER(name, ...) identified(#name, syscall(SYS_##name, __VA_ARGS__))
#define CALL(name, ...) checked(#name, syscall(SYS_##name, __VA_ARGS__))

static void files(void)
{
	char *path = place(40), *buffer = place(5000), *link = place(40);
	struct iovec *vector = place(3 * sizeof *vector);
	struct stat *status = place(sizeof *status);
	off_t *offset = place(sizeof *offset);
	long fd, other;

	sprintf(path, "/tmp/madt-calls.%07d", getppid());
	sprintf(link, "%s.link", path);
	fd = CALL(openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
	expect('G', path, strlen(path) + 1);
	vector[0] = (struct iovec){ buffer, 1001 };
	vector[1] = (struct iovec){ NULL, 0 };
	vector[2] = (struct iovec){ buffer + 2000, 1003 };
	memset(buffer, 'x', 5000);
	printf("%ld\n", CALL(writev, fd, vector, 3));
	expect('G', vector, 48);
	expect('G', buffer, 1001);
	expect('G', buffer + 2000, 1003);
	printf("%ld\n", CALL(pwrite64, fd, buffer, 77, 2004));
	expect('G', buffer, 77);
	vector[0].iov_len = 2000;
	vector[2].iov_len = 2999;
	/* 2,081 bytes are there: the last buffer gets 81 */
	printf("%ld\n", CALL(preadv, fd, vector, 3, 0, 0));
	expect('G', vector, 48);
	expect('W', buffer, 2000);
	expect('W', buffer + 2000, 81);
	printf("%ld\n", CALL(pread64, fd, buffer, 5000, 2000));
	expect('W', buffer, 81);
	CALL(pread64, fd, buffer, 5000, 1 << 20);
	CALL(fstat, fd, status);
	expect('W', status, sizeof *status);
	printf("size %ld\n", (long)status->st_size);
	CALL(symlinkat, path, AT_FDCWD, link);
	expect('G', path, strlen(path) + 1);
	expect('G', link, strlen(link) + 1);
	CALL(readlink, link, buffer, 4000);
	expect('G', link, strlen(link) + 1);
	expect('W', buffer, strlen(path));
	other = CALL(openat, AT_FDCWD, path, O_RDONLY, 0);
	expect('G', path, strlen(path) + 1);
	*offset = 5;
	printf("%ld\n", CALL(sendfile, fd, other, offset, 31));
	expect('G', offset, 8);
	expect('W', offset, 8);
	CALL(unlink, link);
	expect('G', link, strlen(link) + 1);
	CALL(unlink, path);
	expect('G', path, strlen(path) + 1);
	CALL(unlink, path); /* fails: no event */
	CALL(close, fd);
	CALL(close, other);
}

/* Bad pointers are answered as ever, and a transfer that meets one half-way is partial. */
static void errors(void)
{
	char *two = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int *pipes = place(8);

	CALL(pipe2, pipes, 0);
	expect('W', pipes, 8);
	mprotect(two + 4096, 4096, PROT_NONE);
	printf("%ld\n", CALL(write, pipes[1], two + 4000, 200));
	printf("%ld\n", CALL(write, pipes[1], two + 4000, 96));
	CALL(read, pipes[0], NULL, 10);
	CALL(read, pipes[0], two + 4096, 10);
	CALL(read, pipes[0], (void *)0x7ffffffff000, 10);
	printf("%ld\n", CALL(read, pipes[0], two + 4090, 6));
	CALL(openat, AT_FDCWD, (char *)8, O_RDONLY);
	CALL(clock_gettime, CLOCK_MONOTONIC, two + 4096);
	CALL(writev, pipes[1], (void *)16, 2);
	CALL(writev, pipes[1], two, 5000);
	munmap(two, 8192);
	close(pipes[0]);
	close(pipes[1]);
}

static void descriptors(int *rights, struct msghdr *message, char *control)
{
	struct cmsghdr *head = (struct cmsghdr *)control;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	*(int *)CMSG_DATA(head) = *rights;
	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(sizeof(int));
}

static void sockets(void)
{
	int *pair = place(8), *one = place(4);
	char *buffer = place(3000), *control = place(64), *room = place(64);
	struct iovec *vector = place(2 * sizeof *vector);
	struct msghdr *message = place(sizeof *message);
	struct mmsghdr *messages = place(2 * sizeof *messages);
	struct sockaddr_in *address = place(sizeof *address), *peer = place(40);
	socklen_t *length = place(4);
	long server, client, accepted;

	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
	expect('W', pair, 8);
	memset(buffer, 'm', 3000);
	vector[0] = (struct iovec){ buffer, 501 };
	vector[1] = (struct iovec){ buffer + 1000, 301 };
	message->msg_iov = vector;
	message->msg_iovlen = 2;
	descriptors(pair, message, control);
	printf("%ld\n", CALL(sendmsg, pair[0], message, 0));
	expect('G', message, 56);
	expect('G', vector, 32);
	expect('G', buffer, 501);
	expect('G', buffer + 1000, 301);
	expect('G', control, message->msg_controllen);
	message->msg_control = room;
	message->msg_controllen = 64;
	vector[0].iov_len = 700;
	printf("%ld\n", CALL(recvmsg, pair[1], message, 0));
	expect('G', message, 56);
	expect('G', vector, 32);
	expect('W', buffer, 700);
	expect('W', buffer + 1000, 102);
	expect('W', room, 24);
	expect('W', &message->msg_namelen, 4);
	expect('W', &message->msg_controllen, 12);
	printf("a descriptor came %d\n", *(int *)CMSG_DATA((struct cmsghdr *)room) > 2);
	messages[0].msg_hdr = messages[1].msg_hdr = (struct msghdr){ .msg_iov = vector,
		.msg_iovlen = 1 };
	printf("%ld\n", CALL(sendmmsg, pair[0], messages, 2, 0));
	for (int i = 0; i < 2; i++) {
		expect('G', &messages[i], 56);
		expect('G', vector, 16);
		expect('G', buffer, 700);
		expect('W', &messages[i].msg_len, 4);
	}
	server = CALL(socket, AF_INET, SOCK_STREAM, 0);
	*one = 1;
	CALL(setsockopt, server, SOL_SOCKET, SO_REUSEADDR, one, 4);
	expect('G', one, 4);
	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	CALL(bind, server, address, 16);
	expect('G', address, 16);
	CALL(listen, server, 5);
	*length = 40;
	CALL(getsockname, server, address, length);
	expect('G', length, 4);
	expect('W', length, 4);
	expect('W', address, 16);
	client = CALL(socket, AF_INET, SOCK_STREAM, 0);
	CALL(connect, client, address, 16);
	expect('G', address, 16);
	*length = 5; /* the address is cut */
	accepted = CALL(accept, server, peer, length);
	expect('G', length, 4);
	expect('W', length, 4);
	expect('W', peer, 5);
	printf("length %u\n", *length);
	printf("%ld\n", CALL(sendto, client, buffer, 45, 0, NULL, 0));
	expect('G', buffer, 45);
	printf("%ld\n", CALL(recvfrom, accepted, buffer, 3000, 0, NULL, NULL));
	expect('W', buffer, 45);
	*length = 4;
	CALL(getsockopt, client, SOL_SOCKET, SO_TYPE, one, length);
	expect('G', length, 4);
	expect('W', length, 4);
	expect('W', one, 4);
	close((int)server);
	close((int)client);
	close((int)accepted);
	close(pair[0]);
	close(pair[1]);
}

static void waits(void)
{
	int *pipes = place(8);
	struct pollfd *poll = place(2 * sizeof *poll);
	struct timespec *time = place(sizeof *time);
	struct timeval *value = place(sizeof *value);
	struct epoll_event *event = place(3 * sizeof *event);
	fd_set *set = place(sizeof *set);
	uint64_t *mask = place(8), *pair = place(16);
	long epoll;

	CALL(pipe2, pipes, 0);
	expect('W', pipes, 8);
	poll[0] = (struct pollfd){ pipes[0], POLLIN, 0 };
	poll[1] = (struct pollfd){ pipes[1], POLLOUT, 0 };
	printf("%ld\n", CALL(poll, poll, 2, 0));
	expect('G', poll, 16);
	expect('W', poll, 16);
	*time = (struct timespec){ 0, 1000 };
	printf("%ld\n", CALL(ppoll, poll, 1, time, mask, 8));
	expect('G', poll, 8);
	expect('W', poll, 8);
	expect('G', time, 16);
	expect('W', time, 16);
	expect('G', mask, 8);
	FD_SET(pipes[1], set);
	value->tv_usec = 10;
	printf("%ld\n", CALL(select, pipes[1] + 1, NULL, set, NULL, value));
	expect('G', set, 8);
	expect('W', set, 8);
	expect('G', value, 16);
	expect('W', value, 16);
	pair[0] = (uint64_t)mask;
	pair[1] = 8;
	*time = (struct timespec){ 0, 1000 };
	printf("%ld\n", CALL(pselect6, pipes[1] + 1, NULL, set, NULL, time, pair));
	expect('G', set, 8);
	expect('W', set, 8);
	expect('G', time, 16);
	expect('W', time, 16);
	expect('G', pair, 16);
	epoll = CALL(epoll_create1, 0);
	event->events = EPOLLOUT;
	event->data.u64 = 99;
	CALL(epoll_ctl, epoll, EPOLL_CTL_ADD, pipes[1], event);
	expect('G', event, 12);
	printf("%ld\n", CALL(epoll_pwait, epoll, event, 3, 0, mask, 8L));
	expect('W', event, 12);
	expect('G', mask, 8);
	printf("data %lu\n", event->data.u64);
	close((int)epoll);
	close(pipes[0]);
	close(pipes[1]);
}

static void times(void)
{
	struct timespec *time = place(sizeof *time), *rest = place(sizeof *rest);
	struct itimerspec *timer = place(sizeof *timer), *before = place(sizeof *before);
	struct sigevent *event = place(sizeof *event);
	timer_t *id = place(sizeof *id);
	uint64_t *count = place(8);
	long fd;

	CALL(clock_gettime, CLOCK_REALTIME, time);
	expect('W', time, 16);
	*time = (struct timespec){ 0, 1000 };
	CALL(nanosleep, time, rest); /* not interrupted: the rest is not written */
	expect('G', time, 16);
	fd = CALL(timerfd_create, CLOCK_MONOTONIC, 0);
	timer->it_value.tv_nsec = 1000;
	CALL(timerfd_settime, fd, 0, timer, before);
	expect('G', timer, 32);
	expect('W', before, 32);
	CALL(read, fd, count, 8);
	expect('W', count, 8);
	event->sigev_notify = SIGEV_NONE;
	CALL(timer_create, CLOCK_MONOTONIC, event, id);
	expect('G', event, 64);
	expect('W', id, 4);
	CALL(timer_settime, *(int *)id, 0, timer, NULL);
	expect('G', timer, 32);
	close((int)fd);
}

static void processes(void)
{
	int *status = place(4), *numbers = place(16);
	siginfo_t *info = place(sizeof *info);
	struct rusage *usage = place(sizeof *usage);
	struct rlimit *limit = place(sizeof *limit);
	cpu_set_t *cpus = place(sizeof *cpus);
	struct utsname *name = place(sizeof *name);
	char *title = text("madt-calls"), *other = place(32);
	uint64_t *arguments = place(88);
	long pid, bytes;

	pid = fork();
	if (pid == 0)
		_exit(9);
	printf("%d\n", CALL(wait4, pid, status, 0, usage) == pid);
	expect('W', status, 4);
	expect('W', usage, sizeof *usage);
	printf("status %d\n", WEXITSTATUS(*status));
	/* clone3, as fork, with the numbers of the child on both sides */
	arguments[4] = SIGCHLD;
	arguments[0] = CLONE_PARENT_SETTID | CLONE_CHILD_SETTID;
	arguments[2] = (uint64_t)&numbers[0];
	arguments[3] = (uint64_t)&numbers[1];
	pid = syscall(SYS_clone3, arguments, 88);
	if (pid == 0)
		_exit(numbers[0] == getpid() ? 21 : 22);
	CALL(waitid, P_PID, pid, info, WEXITED, NULL);
	expect('W', info, 128);
	printf("child says %d, parent knows %d\n", info->si_status, numbers[1] == pid);
	CALL(prlimit64, 0, RLIMIT_NOFILE, NULL, limit);
	expect('W', limit, 16);
	bytes = CALL(sched_getaffinity, 0, sizeof *cpus, cpus);
	expect('W', cpus, (size_t)bytes);
	CALL(uname, name);
	expect('W', name, sizeof *name);
	CALL(prctl, PR_SET_NAME, title);
	expect('G', title, 11);
	CALL(prctl, PR_GET_NAME, other);
	expect('W', other, 16);
	CALL(getrandom, other, 13, 0);
	expect('W', other, 13);
	CALL(getresuid, &numbers[0], &numbers[1], &numbers[2]);
	for (int i = 0; i < 3; i++)
		expect('W', &numbers[i], 4);
}

static void queues(void)
{
	struct sembuf *operation = place(sizeof *operation);
	struct {
		long type;
		char text[100];
	} *message = place(sizeof *message);
	long id;

	id = IDENTIFIER(semget, IPC_PRIVATE, 1, 0600);
	operation->sem_op = 1;
	CALL(semop, id, operation, 1);
	expect('G', operation, 6);
	CALL(semctl, id, 0, IPC_RMID, 0);
	id = IDENTIFIER(msgget, IPC_PRIVATE, 0600);
	message->type = 1;
	CALL(msgsnd, id, message, 37, 0);
	expect('G', message, 45);
	printf("%ld\n", CALL(msgrcv, id, message, 100, 0, 0));
	expect('W', message, 45);
	CALL(msgctl, id, IPC_RMID, NULL);
}

/* Shared memory of System V, attached, written by the program and by the kernel. */
static void segment(void)
{
	long id = IDENTIFIER(shmget, IPC_PRIVATE, 8192, 0600);
	char *at = (char *)syscall(SYS_shmat, id, NULL, 0);
	int pipes[2];

	if (pipe(pipes))
		return;
	at[0] = 'a';
	at[5000] = 'b';
	printf("%ld\n", CALL(write, pipes[1], at, 5001));
	printf("%ld\n", CALL(read, pipes[0], at + 10, 300));
	printf("%c%c%c\n", at[0], at[10], at[5000]);
	CALL(shmdt, at);
	CALL(shmctl, id, IPC_RMID, NULL);
	close(pipes[0]);
	close(pipes[1]);
}

static void locks(void)
{
	FILE *file = tmpfile();
	struct flock *lock = place(sizeof *lock);
	int *count = place(4), *word = place(4);
	struct timespec *time = place(sizeof *time);
	int pipes[2];

	lock->l_type = F_WRLCK;
	CALL(fcntl, fileno(file), F_SETLK, lock);
	expect('G', lock, 32);
	CALL(fcntl, fileno(file), F_GETLK, lock);
	expect('G', lock, 32);
	expect('W', lock, 32);
	if (pipe(pipes))
		return;
	if (write(pipes[1], "abc", 3) != 3)
		return;
	CALL(ioctl, pipes[0], FIONREAD, count);
	expect('W', count, 4);
	printf("to read %d\n", *count);
	time->tv_nsec = 100000;
	CALL(futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, time);
	CALL(futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 1, time);
	CALL(futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
	close(pipes[0]);
	close(pipes[1]);
	fclose(file);
}

/* Calls that no table knows, with nested pointers: they work, and no event is made up. */
static void unknown(void)
{
	aio_context_t *context = place(sizeof *context);
	struct iocb *block = place(sizeof *block), **list = place(sizeof *list);
	struct io_event *event = place(sizeof *event);
	char *buffer = place(600);
	struct iovec *local = place(sizeof *local), *remote = place(sizeof *remote);
	FILE *file = tmpfile();

	if (CALL(io_setup, 4, context) == 0) {
		expect('G', context, 8);
		expect('W', context, 8);
		memset(buffer, 'q', 600);
		*block = (struct iocb){ .aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = (uint32_t)fileno(file),
			.aio_buf = (uint64_t)buffer,
			.aio_nbytes = 600 };
		list[0] = block;
		printf("%ld\n", CALL(io_submit, *context, 1, list));
		printf("%ld\n", CALL(io_getevents, *context, 1, 1, event, NULL));
		expect('W', event, 32);
		printf("result %lld\n", (long long)event->res);
		CALL(io_destroy, *context);
	}
	*local = (struct iovec){ buffer + 300, 100 };
	*remote = (struct iovec){ buffer, 100 };
	printf("%ld\n", CALL(process_vm_readv, getpid(), local, 1, remote, 1, 0));
	fclose(file);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	files();
	errors();
	sockets();
	waits();
	times();
	processes();
	queues();
	segment();
	locks();
	unknown();
	fflush(stdout);
	fprintf(stderr, "area %p\n%s", (void *)area, expected);
	return 0;
}
