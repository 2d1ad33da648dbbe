/*
 * What threads hand over to each other through the kernel, for those who ask what orders them: an
 * event before a call that sends, and one behind a call that has received. Both name the channel:
 *
 *   pipes              PIPES | inode
 *   eventfds           EVENTFDS | descriptor: anonymous files have one inode for all
 *   sockets            SOCKETS | kind and addresses of both ends, the sender's first; of datagrams
 *                      the address that they go to. Unnamed pairs are one channel.
 *   message queues     QUEUES | inode, MESSAGES | identifier
 *   System V's sets of semaphores   SEMAPHORES | identifier
 *   signals            MADT_SIGNALS, MADT_SIGNALS | thread
 *
 * Where two channels look alike, threads are ordered that are not: a reader may miss a race, and
 * does not make one up.
 */
#include "gate/gate_parts.h"

#include "gate/direct.h"
#include "region/region.h"
#include "session/session.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define SENT 0x746e6573ull             /* "sent" */
#define RECEIVED 0x6465766965636572ull /* "received" */

#define CHANNEL(n) (1ull << 63 | (uint64_t)(n) << 59)
#define PIPES CHANNEL(0)
#define EVENTFDS CHANNEL(1)
#define SOCKETS CHANNEL(2)
#define QUEUES CHANNEL(3)
#define MESSAGES CHANNEL(4)
#define SEMAPHORES CHANNEL(5)
#define SIGNALS CHANNEL(6)

enum means {
	OTHER,
	FILES,
	TO_ADDRESS,
	OF_MESSAGES,
	OF_SEMAPHORES,
	TO_PROCESS,
	TO_THREAD,
	TO_GROUP
};

struct handed {
	uint16_t number;
	uint8_t sends, receives; /* enum means */
};

static const struct handed calls[] = {
	{ __NR_read, OTHER, FILES },
	{ __NR_readv, OTHER, FILES },
	{ __NR_recvfrom, OTHER, FILES },
	{ __NR_recvmsg, OTHER, FILES },
	{ __NR_recvmmsg, OTHER, FILES },
	{ __NR_mq_timedreceive, OTHER, FILES },
	{ __NR_write, FILES, OTHER },
	{ __NR_writev, FILES, OTHER },
	{ __NR_sendto, TO_ADDRESS, OTHER },
	{ __NR_sendmsg, TO_ADDRESS, OTHER },
	{ __NR_sendmmsg, TO_ADDRESS, OTHER },
	{ __NR_sendfile, FILES, OTHER },
	{ __NR_mq_timedsend, FILES, OTHER },
	{ __NR_shutdown, FILES, OTHER },
	{ __NR_close, FILES, OTHER }, /* who reads behind it finds the end */
	{ __NR_msgsnd, OF_MESSAGES, OTHER },
	{ __NR_msgrcv, OTHER, OF_MESSAGES },
	{ __NR_semop, OF_SEMAPHORES, OF_SEMAPHORES },
	{ __NR_semtimedop, OF_SEMAPHORES, OF_SEMAPHORES },
	{ __NR_semctl, OF_SEMAPHORES, OTHER },
	{ __NR_kill, TO_PROCESS, OTHER },
	{ __NR_rt_sigqueueinfo, TO_PROCESS, OTHER },
	{ __NR_pidfd_send_signal, TO_PROCESS, OTHER },
	{ __NR_alarm, TO_PROCESS, OTHER },
	{ __NR_setitimer, TO_PROCESS, OTHER },
	{ __NR_timer_settime, TO_PROCESS, OTHER },
	{ __NR_tkill, TO_THREAD, OTHER },
	{ __NR_tgkill, TO_GROUP, OTHER },
	{ __NR_rt_tgsigqueueinfo, TO_GROUP, OTHER },
	{ __NR_rt_sigtimedwait, OTHER, TO_PROCESS },
};

/* ---------------------------------------------------------------- which channel */

/* Returns 28 bits for an address: a port, wherever it is, or the letters of a name. */
static uint64_t address_sum(const struct sockaddr_storage *address, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)address;
	uint32_t sum = 2166136261u; /* FNV-1a */

	if (length > sizeof *address)
		length = sizeof *address;
	/* both have it there */
	if (length >= sizeof(struct sockaddr_in) && address->ss_family != AF_UNIX)
		return ((const struct sockaddr_in *)address)->sin_port;
	for (size_t i = offsetof(struct sockaddr_un, sun_path); i < length; i++)
		sum = (sum ^ bytes[i]) * 16777619u;
	return sum >> 4;
}

/* Of one end of a socket, by getsockname or getpeername; also of one that has no name. */
static uint64_t end_sum(long number, long fd)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof address;

	return SYS3(number, fd, &address, &length) == 0 ? address_sum(&address, length)
													: address_sum(&address, 0);
}

/* Finds where a datagram goes; false if the call does not say so. */
static bool destination_sum(const struct pending *pending, uint64_t *sum)
{
	uintptr_t at = (uintptr_t)pending->argument[4];
	size_t length = (size_t)pending->argument[5];
	struct sockaddr_storage address;
	struct msghdr message;

	if (pending->number != __NR_sendto) { /* struct mmsghdr begins with one, too */
		at = (uintptr_t)pending->argument[1];
		if (region_read(&message, at, sizeof message) < sizeof message)
			return false;
		at = (uintptr_t)message.msg_name;
		length = message.msg_namelen;
	}
	if (!at || length > sizeof address || region_read(&address, at, length) < length)
		return false;
	*sum = address_sum(&address, length);
	return true;
}

static uint64_t socket_of(const struct pending *pending, enum means means, bool sends)
{
	long fd = pending->argument[0];
	int type = 0;
	socklen_t length = sizeof type;
	uint64_t to, from;

	SYS5(__NR_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &length);
	if (type != SOCK_DGRAM) {
		from = end_sum(sends ? __NR_getsockname : __NR_getpeername, fd);
		to = end_sum(sends ? __NR_getpeername : __NR_getsockname, fd);
		return SOCKETS | from << 28 | to;
	}
	if (!sends)
		to = end_sum(__NR_getsockname, fd);
	else if (means != TO_ADDRESS || !destination_sum(pending, &to))
		to = end_sum(__NR_getpeername, fd);
	return SOCKETS | 1ull << 56 | to;
}

static uint64_t file_of(const struct pending *pending, enum means means, bool sends)
{
	long fd = pending->argument[0];
	struct stat file;

	if (SYS2(__NR_fstat, fd, &file) != 0)
		return 0;
	if (pending->number == __NR_mq_timedsend || pending->number == __NR_mq_timedreceive)
		return QUEUES | file.st_ino;
	if (S_ISFIFO(file.st_mode))
		return PIPES | file.st_ino;
	if (S_ISSOCK(file.st_mode))
		return socket_of(pending, means, sends);
	return file.st_mode & S_IFMT ? 0 : EVENTFDS | (uint32_t)fd;
}

/* Returns 0 for what is no channel. */
static uint64_t channel_of(const struct pending *pending, enum means means, bool sends)
{
	const long *a = pending->argument;

	switch (means) {
	case FILES:
	case TO_ADDRESS:
		return file_of(pending, means, sends);
	case OF_MESSAGES:
		return MESSAGES | (uint32_t)a[0];
	case OF_SEMAPHORES:
		return SEMAPHORES | (uint32_t)a[0];
	case TO_THREAD:
		return SIGNALS | (uint32_t)a[0];
	case TO_GROUP:
		return SIGNALS | (uint32_t)a[1];
	case TO_PROCESS:
		return SIGNALS;
	default:
		return 0;
	}
}

/* ---------------------------------------------------------------- what is told */

static const struct handed *find(long number)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static bool asked(void)
{
	return session.page && session.page->flags & MADT_SESSION_HANDED;
}

bool handed_is_told(long number)
{
	return asked() && find(number);
}

static void tell(uint64_t channel, uint64_t role, uintptr_t code)
{
	struct madt_event event = { .type = MADT_EVENT_THREAD_SYNC,
		.callers = 1,
		.address = channel,
		.size = tsc_now(),
		.old = role,
		.caller = { code } };

	if (channel)
		ring_put(&event);
}

/* A vfork child has its parent's place in the order. */
static const struct handed *told(const struct pending *pending)
{
	return recording && asked() && !pending->i386 && !self.vfork_child ? find(pending->number)
																	   : NULL;
}

bool handed_begin(const struct pending *pending)
{
	const struct handed *call = told(pending);

	if (!call)
		return false;
	if (call->sends)
		tell(channel_of(pending, call->sends, true), SENT, pending->next);
	return call->receives;
}

static void signal_tell(uintptr_t code)
{
	tell(SIGNALS, RECEIVED, code);
	tell(SIGNALS | self.tid, RECEIVED, code);
}

void handed_end(const struct pending *pending, long result)
{
	const struct handed *call = result >= 0 ? told(pending) : NULL;

	if (!call || !call->receives)
		return;
	if (call->receives == TO_PROCESS)
		signal_tell(pending->next);
	else
		tell(channel_of(pending, call->receives, false), RECEIVED, pending->next);
}

void handed_signal(uintptr_t code)
{
	if (recording && asked() && !self.vfork_child)
		signal_tell(code);
}
