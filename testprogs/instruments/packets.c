/*
 * Gets packets that a child sends at gaps, up to 40 ms, by the port of its argument, and prints of
 * each when it came by the kernel's clock, and when it was about to be taken and had been.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PACKETS 40

static long nanoseconds(struct timespec time)
{
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return nanoseconds(time);
}

__attribute__((noipa)) void take(int number)
{
	__asm__ volatile("" : : "r"(number));
}

static void send_all(int out, struct sockaddr_in *to)
{
	static const int gaps[] = { 0, 5000, 0, 40000, 1000, 0, 100, 10000 };

	for (int i = 0; i < PACKETS; i++) {
		if (gaps[i % 8])
			usleep(gaps[i % 8]);
		sendto(out, &i, sizeof i, 0, (struct sockaddr *)to, sizeof *to);
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr = { htonl(INADDR_LOOPBACK) },
		.sin_port = htons(argc > 1 ? atoi(argv[1]) : 0) };
	socklen_t size = sizeof at;
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;

	if (bind(in, (struct sockaddr *)&at, sizeof at))
		return 1;
	getsockname(in, (struct sockaddr *)&at, &size);
	setsockopt(in, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
	if (fork() == 0) {
		send_all(out, &at);
		_exit(0);
	}
	for (int i = 0; i < PACKETS; i++) {
		char control[128];
		int number = 0;
		struct iovec piece = { &number, sizeof number };
		struct msghdr message = { .msg_iov = &piece,
			.msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof control };
		struct timespec came;
		long before;

		if (recvmsg(in, &message, 0) != sizeof number || number != i)
			return 1;
		memcpy(&came, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof came);
		before = now();
		take(number);
		printf("%ld %ld %ld\n", nanoseconds(came), before, now());
	}
	wait(NULL);
	return 0;
}
