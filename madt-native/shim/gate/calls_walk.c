/* The ranges that one system call touches, lists of buffers included. */
#include "gate/calls.h"

#include "region/region.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* bytes: the longest argument of execve (MAX_ARG_STRLEN); paths are shorter */
#define TEXT_MAX 131072
#define VECTOR_MAX 1024 /* UIO_MAXIOV */
#define WAITERS_MAX 128 /* FUTEX_WAITV_MAX */

/* struct futex_waitv, which older headers lack */
struct waiter {
	uint64_t value, address;
	uint32_t flags, reserved;
};

struct walk {
	struct pending *pending;
	const long *result; /* NULL before the call */
	call_visit *visit;
};

static void walk_range(const struct walk *walk, uintptr_t start, size_t length, unsigned direction)
{
	if (start && length)
		walk->visit(walk->pending, start, length, direction & (TOUCH_READ | TOUCH_WRITE));
}

static size_t product(size_t count, size_t size)
{
	return count > SIZE_MAX / 2 / size ? SIZE_MAX / 2 : count * size;
}

/* Bytes up to and with the NUL; up to the first unreadable one if there is none. */
static size_t text_size(uintptr_t start)
{
	char part[256];
	size_t seen = 0;

	while (seen < TEXT_MAX) {
		uintptr_t at = start + seen;
		size_t n = PAGE_DOWN(at) + MADT_PAGE - at, got;

		if (n > sizeof part)
			n = sizeof part;
		got = region_read(part, at, n);
		for (size_t i = 0; i < got; i++)
			if (!part[i])
				return seen + i + 1;
		seen += got;
		if (got < n)
			break;
	}
	return seen;
}

static void walk_waiters(const struct walk *walk, uintptr_t list, size_t count)
{
	struct waiter waiter;

	if (count > WAITERS_MAX)
		return; /* EINVAL */
	walk_range(walk, list, count * sizeof waiter, TOUCH_READ);
	for (size_t i = 0; i < count; i++)
		if (region_read(&waiter, list + i * sizeof waiter, sizeof waiter) == sizeof waiter)
			walk_range(walk, waiter.address, 4, TOUCH_READ);
}

static void walk_texts(const struct walk *walk, uintptr_t list)
{
	uintptr_t text;
	size_t n = 0;

	if (!list)
		return;
	while (region_read(&text, list + n * sizeof text, sizeof text) == sizeof text && text)
		n++;
	walk_range(walk, list, (n + 1) * sizeof text, TOUCH_READ);
	for (size_t i = 0; i < n; i++)
		if (region_read(&text, list + i * sizeof text, sizeof text) == sizeof text)
			walk_range(walk, text, text_size(text), TOUCH_READ);
}

/* `bytes`: how many were transferred, over all buffers. */
static void walk_vector(const struct walk *walk, uintptr_t vector, size_t count, size_t bytes,
		unsigned direction)
{
	struct iovec buffer;

	if (count > VECTOR_MAX)
		return; /* EINVAL */
	walk_range(walk, vector, count * sizeof buffer, TOUCH_READ);
	for (size_t i = 0; i < count && bytes; i++) {
		size_t n;

		if (region_read(&buffer, vector + i * sizeof buffer, sizeof buffer) < sizeof buffer)
			return;
		n = buffer.iov_len < bytes ? buffer.iov_len : bytes;
		walk_range(walk, (uintptr_t)buffer.iov_base, n, direction);
		bytes -= n;
	}
}

/* The header's own fields that recvmsg(2) changes are msg_namelen, msg_controllen and msg_flags. */
static void walk_message(const struct walk *walk, uintptr_t at, size_t bytes, unsigned direction)
{
	struct msghdr head;
	size_t name;

	if (region_read(&head, at, sizeof head) < sizeof head)
		return;
	walk_range(walk, at, sizeof head, TOUCH_READ);
	if (!walk->result)
		walk->pending->limit = head.msg_namelen;
	name = head.msg_namelen < walk->pending->limit ? head.msg_namelen : walk->pending->limit;
	walk_range(walk, (uintptr_t)head.msg_name, name, direction);
	walk_vector(walk, (uintptr_t)head.msg_iov, head.msg_iovlen, bytes, direction);
	walk_range(walk, (uintptr_t)head.msg_control, head.msg_controllen, direction);
	if (direction & TOUCH_WRITE) {
		walk_range(walk, at + offsetof(struct msghdr, msg_namelen), sizeof head.msg_namelen,
				TOUCH_WRITE);
		walk_range(walk, at + offsetof(struct msghdr, msg_controllen),
				sizeof head - offsetof(struct msghdr, msg_controllen) - 4, TOUCH_WRITE);
	}
}

static void walk_messages(const struct walk *walk, uintptr_t at, size_t count, unsigned direction)
{
	struct mmsghdr message;

	for (size_t i = 0; i < count && i < VECTOR_MAX; i++, at += sizeof message) {
		if (walk->result)
			walk->pending->limit = UINT32_MAX;
		if (region_read(&message, at, sizeof message) < sizeof message)
			return;
		walk_message(walk, at, walk->result ? message.msg_len : SIZE_MAX / 2, direction);
		walk_range(walk, at + offsetof(struct mmsghdr, msg_len), sizeof message.msg_len,
				TOUCH_WRITE);
	}
}

/*
 * A buffer whose length stands elsewhere: before the call its room, after it what there was to
 * tell.
 */
static void walk_socket(const struct walk *walk, uintptr_t buffer, uintptr_t length)
{
	uint32_t n;

	if (!length || region_read(&n, length, sizeof n) < sizeof n)
		return;
	if (!walk->result)
		walk->pending->limit = n;
	walk_range(walk, length, sizeof n, TOUCH_READ | TOUCH_WRITE);
	walk_range(walk, buffer, n < walk->pending->limit ? n : walk->pending->limit, TOUCH_WRITE);
}

static size_t result_length(const struct walk *walk, const struct touch *touch)
{
	size_t most = product((size_t)walk->pending->argument[touch->count], touch->size), done;

	if (!walk->result)
		return most;
	done = product((size_t)*walk->result, touch->size);
	return done < most ? done : most;
}

static size_t bytes_done(const struct walk *walk)
{
	return walk->result ? (size_t)*walk->result : SIZE_MAX / 2;
}

static void walk_touch(const struct walk *walk, const struct touch *touch)
{
	const long *a = walk->pending->argument;
	uintptr_t start = (uintptr_t)a[touch->argument];
	size_t count = (size_t)a[touch->count];
	unsigned direction = touch->direction;

	switch ((enum touch_length)touch->length) {
	case LENGTH_FIXED:
		walk_range(walk, start, touch->size, direction);
		break;
	case LENGTH_ARGUMENT:
		walk_range(walk, start, product(count, touch->size), direction);
		break;
	case LENGTH_RESULT:
		walk_range(walk, start, result_length(walk, touch), direction);
		break;
	case LENGTH_TEXT:
		walk_range(walk, start, start ? text_size(start) : 0, direction);
		break;
	case LENGTH_SOCKET:
		walk_socket(walk, start, (uintptr_t)a[touch->count]);
		break;
	case LENGTH_DESCRIPTORS:
		walk_range(walk, start, ((unsigned)count + 63) / 64 * 8, direction);
		break;
	case LENGTH_PAGES:
		walk_range(walk, start, PAGE_UP(count) / MADT_PAGE, direction);
		break;
	case LENGTH_VECTOR:
		walk_vector(walk, start, count, bytes_done(walk), direction);
		break;
	case LENGTH_MESSAGE:
		walk_message(walk, start, bytes_done(walk), direction);
		break;
	case LENGTH_MESSAGES:
		walk_messages(walk, start, walk->result ? (size_t)*walk->result : count, direction);
		break;
	case LENGTH_TEXTS:
		walk_texts(walk, start);
		break;
	case LENGTH_WAITERS:
		walk_waiters(walk, start, touch->size ? touch->size : count);
		break;
	case LENGTH_PREFIXED:
		walk_range(walk, start,
				sizeof(long)
						+ (direction & TOUCH_WRITE && walk->result ? (size_t)*walk->result : count),
				direction);
		break;
	}
}

bool call_walk(struct pending *pending, const long *result, call_visit *visit)
{
	const struct call *call = call_find(pending->number, pending->argument);
	struct walk walk = { pending, result, visit };

	for (unsigned i = 0; call && i < call->count; i++) {
		bool broken = call->touch[i].direction & TOUCH_BROKEN;

		if (!result || (broken ? *result == -EINTR : !sys_failed(*result)))
			walk_touch(&walk, &call->touch[i]);
	}
	return call != NULL;
}

bool call_has_touched(long number, const long *arguments, long result)
{
	const struct call *call = NULL;

	if (!sys_failed(result) || result == -EINTR)
		call = call_find(number, arguments);
	for (unsigned i = 0; call && i < call->count; i++)
		if (call->touch[i].direction && (call->touch[i].length != LENGTH_RESULT || result))
			return true;
	return false;
}

bool call_has_limit(const struct call *call)
{
	for (unsigned i = 0; i < call->count; i++)
		if (call->touch[i].length == LENGTH_SOCKET || call->touch[i].length == LENGTH_MESSAGE
				|| call->touch[i].length == LENGTH_MESSAGES)
			return true;
	return false;
}
