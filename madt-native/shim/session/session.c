/* The session: its page, this process's control part and its buffers. No descriptor stays open. */
#include "session/session.h"

#include "session/area.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#define NAMES_PART 12288u
#define RING_PART 256u /* slots: 16 KiB */

#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1
#endif

static const struct timespec part_wait = { 0, 100000000 };

struct session session;

/* Counters of a process that is not followed: nobody reads them. */
static struct madt_control nobody;

void session_leave(void)
{
	session.control = &nobody;
	session.pid = (uint32_t)SYS0(__NR_getpid);
	session.gone = true;
}

static uint64_t own_area(void)
{
	return MADT_AREA(session.serial);
}

struct madt_control *session_control_of(uint32_t serial)
{
	long at = area_map(MADT_AREA(serial), MADT_CONTROL_SIZE);

	if (sys_failed(at))
		return NULL;
	if (area_allocate((void *)at, MADT_PAGE))
		return (struct madt_control *)at;
	sys_unmap((uintptr_t)at, MADT_CONTROL_SIZE);
	return NULL;
}

const void *session_shared(uint64_t at, size_t size)
{
	long from = area_map(own_area() + at, PAGE_UP(size));

	return sys_failed(from) ? NULL : (const void *)from;
}

void *session_copy(uint64_t at, size_t size)
{
	const void *from = session_shared(at, size);
	void *copy = from ? sys_pages(size) : NULL;

	if (copy)
		bytes_copy(copy, from, size);
	if (from)
		sys_unmap((uintptr_t)from, PAGE_UP(size));
	return copy;
}

long session_copy_file(uint64_t at, size_t size)
{
	long from = area_map(own_area() + at, PAGE_UP(size)),
		 fd = sys_failed(from) ? from : SYS2(__NR_memfd_create, "madt", MFD_CLOEXEC), n = 0;

	for (size_t done = 0; !sys_failed(fd) && done < size; done += (size_t)n) {
		n = SYS3(__NR_write, fd, from + (long)done, size - done);
		if (sys_failed(n) || n == 0) {
			SYS1(__NR_close, fd);
			fd = sys_failed(n) ? n : -ENOSPC;
		}
	}
	if (!sys_failed(from))
		sys_unmap((uintptr_t)from, PAGE_UP(size));
	return fd;
}

uint64_t *session_chunk(struct madt_buffer *buffer, uint32_t i)
{
	return (uint64_t *)((char *)buffer + MADT_PAGE + (size_t)i * MADT_CHUNK_STRIDE);
}

/* With engine splice the page behind each chunk cannot be touched. */
static void buffer_guard(struct madt_buffer *buffer, uint32_t chunks)
{
	for (uint32_t i = 0; i < chunks; i++)
		SYS3(__NR_mprotect, (char *)session_chunk(buffer, i) + MADT_CHUNK_BYTES, MADT_PAGE,
				PROT_NONE);
}

static struct madt_buffer *buffer_map(uint32_t number, bool make, long *error)
{
	uint32_t chunks = MADT_FIRST_BUFFER_CHUNKS;
	size_t size = MADT_BUFFER_SIZE(chunks);
	long at = area_map(own_area() + MADT_BUFFERS_AT + number * MADT_BUFFER_BYTES, size);
	struct madt_buffer *buffer = (struct madt_buffer *)at;

	if (!sys_failed(at) && make && !area_allocate(buffer, MADT_PAGE + MADT_CHUNK_BYTES)) {
		area_give_back(buffer, size);
		at = -ENOSPC;
	}
	if (sys_failed(at)) {
		*error = -at;
		return NULL;
	}
	session.chunks[number] = make ? 1 : chunks;
	if (engine.leads)
		buffer_guard(buffer, chunks);
	SYS3(__NR_madvise, buffer, size, MADV_DONTFORK);
	if (make) {
		buffer->version = MADT_LAYOUT_VERSION;
		buffer->chunks = chunks;
		buffer->chunk_words = MADT_CHUNK_WORDS;
		buffer->number = number;
		STORE_RELEASE(&buffer->magic, MADT_BUFFER_MAGIC);
	}
	return buffer;
}

/* A part that is used from its beginning on; `backed` grows, whoever else lets it. */
static void backed_raise(uint32_t *part, uint32_t backed)
{
	uint32_t now = LOAD_ACQUIRE(part);

	while (now < backed
			&& !__atomic_compare_exchange_n(part, &now, backed, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		;
}

bool session_back_chunk(uint32_t number, uint32_t chunk)
{
	if (chunk < LOAD_ACQUIRE(&session.chunks[number]))
		return true;
	if (!area_allocate(session_chunk(session.buffer[number], chunk), MADT_CHUNK_BYTES))
		return false;
	backed_raise(&session.chunks[number], chunk + 1);
	return true;
}

/* A second buffer doubles the first, and so on. */
bool session_add_buffer(void)
{
	uint32_t number = LOAD_ACQUIRE(&session.control->buffers);
	long error = 0;

	if (number >= MADT_BUFFERS_MAX)
		return false;
	session.buffer[number] = buffer_map(number, true, &error);
	if (!session.buffer[number])
		return false;
	STORE_RELEASE(&session.control->buffers, number + 1);
	session_ring();
	return true;
}

bool session_map_control(uintptr_t at, bool replace)
{
	long from = area_map(own_area(), MADT_PAGE), result;

	if (sys_failed(from))
		return false;
	SYS3(__NR_mprotect, from, MADT_PAGE, PROT_READ);
	result = replace ? (long)at
					 : SYS6(__NR_mmap, at, MADT_PAGE, PROT_NONE,
							 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (result == (long)at)
		result = SYS5(__NR_mremap, from, MADT_PAGE, MADT_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at);
	own_remove((uintptr_t)from);
	if (result != (long)at)
		SYS2(__NR_munmap, from, MADT_PAGE);
	else if (!replace)
		own_add(at, MADT_PAGE);
	return result == (long)at;
}

/*
 * Tells the launcher which process has taken this serial: the kernel says over the socket, in the
 * launcher's own PID namespace, who connects. Where it cannot be reached the launcher takes the
 * number in the control file for its own.
 */
static void session_greet(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	long fd;

	if (!text_copy(address.sun_path, session.folder, sizeof address.sun_path - sizeof "/hello"))
		return;
	text_copy(address.sun_path + text_length(address.sun_path), "/hello", sizeof "/hello");
	fd = SYS3(__NR_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (sys_failed(fd))
		return;
	if (!sys_failed(SYS3(__NR_connect, fd, &address, sizeof address)))
		SYS6(__NR_sendto, fd, &session.serial, sizeof session.serial, MSG_NOSIGNAL, 0, 0);
	SYS1(__NR_close, fd);
}

static bool control_allocate(struct madt_control *control)
{
	char *at = (char *)control;

	return area_allocate(at, MADT_NAMES_OFFSET + NAMES_PART)
			&& area_allocate(at + MADT_RING_OFFSET, RING_PART * sizeof(struct madt_event))
			&& area_allocate(at + MADT_OWN_OFFSET, MADT_CONTROL_SIZE - MADT_OWN_OFFSET);
}

static struct madt_control *control_map(bool make, long *error)
{
	long at = area_map(own_area(), MADT_CONTROL_SIZE);
	struct madt_control *control = (struct madt_control *)at;

	if (!sys_failed(at) && make && !control_allocate(control)) {
		area_give_back(control, MADT_CONTROL_SIZE);
		at = -ENOSPC;
	}
	if (sys_failed(at)) {
		*error = -at;
		return NULL;
	}
	SYS3(__NR_madvise, control, MADT_CONTROL_SIZE, MADV_DONTFORK);
	return control;
}

static bool process_map(bool make, uint32_t parent, uint64_t fork_ticket, long *error)
{
	struct madt_control *control = control_map(make, error);

	if (!control)
		return false;
	bytes_set(session.buffer, 0, sizeof session.buffer);
	session.buffer[0] = buffer_map(0, make, error);
	if (!session.buffer[0]) {
		if (make)
			area_give_back(control, MADT_CONTROL_SIZE);
		return false;
	}
	if (make) {
		control->version = MADT_LAYOUT_VERSION;
		control->serial = session.serial;
		control->ring_free = MADT_RING_SLOTS;
		control->names_used = 1;
		control->buffers = 1;
	}
	session.slots = make ? RING_PART : MADT_RING_SLOTS;
	session.names = make ? NAMES_PART : MADT_NAMES_SIZE;
	session_greet();
	session.pid = control->pid = (uint32_t)SYS0(__NR_getpid);
	control->parent = (uint32_t)SYS0(__NR_getppid);
	control->parent_serial = parent;
	control->fork_ticket = fork_ticket;
	control->state = MADT_STATE_ATTACHED;
	session.control = control;
	session.traps = (struct madt_trap_site *)((char *)control + MADT_TRAPS_OFFSET);
	own_share((struct madt_range *)((char *)control + MADT_OWN_OFFSET));
	STORE_RELEASE(&control->magic, MADT_CONTROL_MAGIC);
	return true;
}

void session_space_ended(enum madt_left reason)
{
	session.gone = true;
	STORE_RELEASE(&session.control->left, reason);
}

/*
 * Called before the last slot of a part is used: the collector looks at the slot behind the last
 * one.
 */
bool session_back_ring(uint64_t slot)
{
	uint32_t backed = LOAD_ACQUIRE(&session.slots), wanted = (uint32_t)slot + RING_PART;
	struct madt_event *ring = (struct madt_event *)((char *)session.control + MADT_RING_OFFSET);

	if (wanted > MADT_RING_SLOTS)
		wanted = MADT_RING_SLOTS;
	for (int tries = 0;
			backed < wanted && !area_allocate(ring + backed, (wanted - backed) * sizeof *ring);
			tries++) {
		if (tries == SESSION_PATIENCE || session.gone) {
			session_space_ended(MADT_LEFT_SPACE);
			return false;
		}
		SYS2(__NR_nanosleep, &part_wait, NULL);
	}
	backed_raise(&session.slots, wanted);
	return true;
}

/* Takes away the marks of what a fork's child does not inherit (MADV_DONTFORK). */
static void session_disinherit(void)
{
	own_remove((uintptr_t)session.control);
	for (uint32_t i = 0; i < MADT_BUFFERS_MAX; i++)
		own_remove((uintptr_t)session.buffer[i]);
}

bool session_new_process(uint64_t fork_ticket)
{
	uint32_t parent = session.serial;
	long error = 0;

	session_disinherit();
	session.control = &nobody;
	session.serial = __atomic_fetch_add(&session.page->processes, 1, __ATOMIC_ACQ_REL);
	if (!process_map(session.serial > 0, parent, fork_ticket, &error)) {
		session.page->last_errno = (uint32_t)error;
		__atomic_fetch_add(&session.page->failures, 1, __ATOMIC_ACQ_REL);
		session_ring();
		return false;
	}
	session_ring();
	return true;
}

bool session_open(const char *folder)
{
	char path[256];

	if (!text_copy(session.folder, folder, sizeof session.folder))
		return false;
	text_copy(path, folder, sizeof path);
	text_copy(path + text_length(path), "/session", sizeof path - text_length(path));
	session.page = area_open(path);
	if (!session.page || session.page->magic != MADT_SESSION_MAGIC
			|| session.page->version != MADT_LAYOUT_VERSION || !session_alive())
		return false;
	return true;
}

bool session_alive(void)
{
	uint32_t holder = LOAD_ACQUIRE(&session.page->launcher[0]);

	/* Without its magic the launcher has taken the area back: the process that had it is over. */
	if (session.control
			&& (LOAD_ACQUIRE(&session.control->stop) == MADT_STOP_EVERYTHING
					|| session.control->magic != MADT_CONTROL_MAGIC))
		return false;
	return (holder & MADT_LAUNCHER_THREAD) && !(holder & MADT_LAUNCHER_DIED)
			&& !LOAD_ACQUIRE(&session.page->disowned);
}

void session_ring(void)
{
	__atomic_fetch_add(&session.page->doorbell, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&session.page->waiting, __ATOMIC_SEQ_CST))
		SYS3(__NR_futex, &session.page->doorbell, FUTEX_WAKE, 1);
}

bool session_wait(uint32_t *word, uint32_t value)
{
	static const struct timespec limit = { 0, 100000000 };

	session_ring();
	if (LOAD_ACQUIRE(word) != value)
		return true;
	if (SYS4(__NR_futex, word, FUTEX_WAIT, value, &limit) == -ETIMEDOUT && !session_alive()) {
		session.gone = true;
		return false;
	}
	return true;
}

static bool names_back(uint32_t end)
{
	uint32_t backed = LOAD_ACQUIRE(&session.names), wanted = PAGE_UP(end + NAMES_PART);

	if (end <= backed)
		return true;
	if (wanted > MADT_NAMES_SIZE)
		wanted = MADT_NAMES_SIZE;
	if (!area_allocate((char *)session.control + MADT_NAMES_OFFSET + backed, wanted - backed))
		return false;
	backed_raise(&session.names, wanted);
	return true;
}

/* Appends to the names area; 0, the empty name, when it is full. */
uint32_t session_name(const char *text)
{
	size_t n = text_length(text) + 1;
	char *names = (char *)session.control + MADT_NAMES_OFFSET;
	uint32_t at;

	if (n == 1)
		return 0;
	at = __atomic_fetch_add(&session.control->names_used, (uint32_t)n, __ATOMIC_ACQ_REL);
	if (at + n > MADT_NAMES_SIZE || !names_back((uint32_t)(at + n))) {
		__atomic_fetch_sub(&session.control->names_used, (uint32_t)n, __ATOMIC_ACQ_REL);
		return 0;
	}
	bytes_copy(names + at, text, n);
	return at;
}
