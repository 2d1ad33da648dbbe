/*
 * Waits of sockets that have limits of their own (socket(7), SO_RCVTIMEO and SO_SNDTIMEO), which no
 * argument of the call holds. Where such a wait is made again (wait_limit.c), a timer signals the
 * thread when it is due, as often as it takes to find it there: then the call ends as by its limit.
 * What it has transferred by then, the kernel has returned instead of EINTR.
 *
 * Such waits are noted from when the process first gives a socket a limit.
 */
#include "gate/gate_parts.h"

#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#define NANOS UINT64_C(1000000000)
#define SOONEST 200000 /* nanoseconds: the thread is to be in the call by then */
#define AGAIN 1000000  /* until it is signalled once more, if it was not */
#define LIMIT_NEW 66   /* SO_RCVTIMEO_NEW, and behind it SO_SNDTIMEO_NEW */

static bool followed;

int socket_option(long number)
{
	if (!followed)
		return 0;
	switch (number) {
	case __NR_read:
	case __NR_readv:
	case __NR_recvfrom:
	case __NR_recvmsg:
	case __NR_recvmmsg:
	case __NR_accept:
	case __NR_accept4:
		return SO_RCVTIMEO;
	case __NR_write:
	case __NR_writev:
	case __NR_sendto:
	case __NR_sendmsg:
	case __NR_sendmmsg:
	case __NR_connect:
		return SO_SNDTIMEO;
	default:
		return 0;
	}
}

void gate_sockets_follow(void)
{
	if (followed)
		return;
	followed = true;
	direct_follow_sockets();
}

void sockets_note(long number, const long *a)
{
	const int option = (int)a[2];

	if (number == __NR_setsockopt && (int)a[1] == SOL_SOCKET
			&& (option == SO_RCVTIMEO || option == SO_SNDTIMEO || option == LIMIT_NEW
					|| option == LIMIT_NEW + 1))
		gate_sockets_follow();
}

bool socket_limit(long descriptor, int option, uint64_t *nanos)
{
	int64_t time[2] = { 0, 0 };
	uint32_t size = sizeof time;

	if (sys_failed(SYS5(__NR_getsockopt, descriptor, SOL_SOCKET, option, time, &size)))
		return false;
	*nanos = (uint64_t)time[0] * NANOS + (uint64_t)time[1] * 1000;
	return *nanos;
}

long socket_late(long number, long descriptor)
{
	int domain = AF_UNIX;
	uint32_t size = sizeof domain;

	if (number == __NR_connect)
		SYS5(__NR_getsockopt, descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size);
	return domain == AF_UNIX ? -EAGAIN : -EINPROGRESS;
}

static bool timer_make(void)
{
	struct gate_wait *wait = &self.gate.wait;
	struct sigevent event;

	if (wait->timed)
		return true;
	bytes_set(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event._sigev_un._tid = (pid_t)self.tid;
	event.sigev_signo = MADT_ASKED_BY;
	event.sigev_value.sival_ptr = (void *)MADT_ASK_VALUE;
	wait->timed = !sys_failed(SYS3(__NR_timer_create, CLOCK_MONOTONIC, &event, &wait->timer));
	return wait->timed;
}

void socket_timer_begin(uint64_t rest)
{
	const uint64_t in = rest > SOONEST ? rest : SOONEST;
	const struct itimerspec time = { { 0, AGAIN }, { (time_t)(in / NANOS), (long)(in % NANOS) } };

	if (timer_make())
		SYS4(__NR_timer_settime, self.gate.wait.timer, 0, &time, NULL);
}

void socket_timer_end(void)
{
	if (self.gate.wait.timed)
		SYS1(__NR_timer_delete, self.gate.wait.timer);
	self.gate.wait.timed = false;
}
