/* flags: -O1 */
/* Descriptors, credentials and many messages at once that go through a socket. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void give(int file, const char *text)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = { .head = { CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { (void *)text, strlen(text) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
	};

	memcpy(CMSG_DATA(&control.head), &file, sizeof file);
	sendmsg(ends[1], &message, 0);
}

static int take(char *text, int *from)
{
	char control[256] __attribute__((aligned(8)));
	struct iovec parts[2] = { { text, 3 }, { text + 3, 97 } };
	struct msghdr message = {
		.msg_iov = parts, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control
	};
	ssize_t got = recvmsg(ends[0], &message, MSG_CMSG_CLOEXEC);
	int file = -1;

	text[got > 0 ? got : 0] = 0;
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at))
		if (at->cmsg_type == SCM_RIGHTS)
			memcpy(&file, CMSG_DATA(at), sizeof file);
		else if (at->cmsg_type == SCM_CREDENTIALS)
			*from = ((struct ucred *)CMSG_DATA(at))->pid;
	return file;
}

int main(void)
{
	struct mmsghdr many[3] = { 0 };
	struct iovec parts[3];
	char texts[3][20], text[128];
	int from = 0, file, on = 1;
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
	setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
	child = fork();
	if (child == 0) {
		char *shared;

		file = memfd_create("passed", 0);
		ftruncate(file, 8192);
		shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		strcpy(shared + 4090, "in the file");
		for (int i = 0; i < 40; i++)
			give(file, "take this descriptor");
		for (int i = 0; i < 3; i++) {
			snprintf(texts[i], 20, "message %d", i);
			parts[i] = (struct iovec){ texts[i], strlen(texts[i]) };
			many[i].msg_hdr = (struct msghdr){ .msg_iov = &parts[i], .msg_iovlen = 1 };
		}
		_exit(sendmmsg(ends[1], many, 3, 0) != 3);
	}
	for (int i = 0; i < 40; i++) {
		file = take(text, &from);
		if (i == 39) {
			char *map = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, file, 0);

			printf("%s: %s, sender %d, closes %d\n", text, map + 4090, from == child,
					fcntl(file, F_GETFD));
		}
		close(file);
	}
	recv(ends[0], text, 4, MSG_PEEK);
	for (int i = 0; i < 3; i++) {
		parts[i] = (struct iovec){ texts[i], 20 };
		many[i].msg_hdr = (struct msghdr){ .msg_iov = &parts[i], .msg_iovlen = 1 };
	}
	printf("many %d: ", recvmmsg(ends[0], many, 3, MSG_WAITFORONE, NULL) > 0);
	printf("%.4s %.*s %u\n", text, (int)many[0].msg_len, texts[0], many[0].msg_len);
	wait(&on);
	printf("child %d\n", on);
	return 0;
}
