/*
 * The files under the session folder: session page, this process's control file and its buffers. No
 * descriptor stays open.
 */
#include "session/session.h"

#include "session/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#define NAMES_PART 12288u
#define RING_PART 256u /* slots: 16 KiB */
#define PART_TRIES 20  /* two seconds: others may give memory back */

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

static void session_file(char *path, size_t size, uint32_t serial, char kind, uint32_t number)
{
	char tail[32] = "/p";
	char *end = text_number(tail + 2, serial);

	if (kind == 'c') {
		text_copy(end, ".ctl", 5);
	} else {
		text_copy(end, ".b", 3);
		text_number(end + 2, number);
	}
	text_copy(path, session.folder, size);
	text_copy(path + text_length(path), tail, size - text_length(path));
}

struct madt_control *session_control_of(uint32_t serial)
{
	char path[256];
	struct stat status = { .st_size = 0 };
	long error;

	session_file(path, sizeof path, serial, 'c', 0);
	if (sys_failed(SYS2(__NR_stat, path, &status)) || status.st_size < (long)MADT_CONTROL_SIZE)
		return NULL; /* another process is making it */
	return file_map(path, MADT_CONTROL_SIZE, NULL, 0, &error);
}

/* With engine splice a page that cannot be touched lies behind each chunk. */
static size_t chunk_stride(void)
{
	return MADT_CHUNK_BYTES + (engine.leads ? MADT_PAGE : 0);
}

uint64_t *session_chunk(struct madt_buffer *buffer, uint32_t i)
{
	return (uint64_t *)((char *)buffer + MADT_PAGE + i * chunk_stride());
}

/* A second view of the file, chunk by chunk, takes the place of the first. */
static struct madt_buffer *buffer_spread(const char *path, struct madt_buffer *whole,
		uint32_t chunks, long *error)
{
	size_t size = MADT_PAGE + chunks * chunk_stride();
	long fd = SYS3(__NR_open, path, O_RDWR | O_CLOEXEC, 0);
	long at = sys_failed(fd)
			? fd
			: sys_map(size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1),
		 part = at;

	sys_unmap((uintptr_t)whole, MADT_BUFFER_SIZE(chunks));
	if (!sys_failed(part))
		part = SYS6(__NR_mmap, at, MADT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
				0);
	for (uint32_t i = 0; i < chunks && !sys_failed(part); i++)
		part = SYS6(__NR_mmap, session_chunk((struct madt_buffer *)at, i), MADT_CHUNK_BYTES,
				PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
				MADT_PAGE + (size_t)i * MADT_CHUNK_BYTES);
	if (!sys_failed(fd))
		SYS1(__NR_close, fd);
	if (!sys_failed(part))
		return (struct madt_buffer *)at;
	if (!sys_failed(at))
		sys_unmap((uintptr_t)at, size);
	*error = -part;
	return NULL;
}

static struct madt_buffer *buffer_map(uint32_t number, uint32_t chunks, bool make, long *error)
{
	static const struct part first = { 0, MADT_BUFFER_SIZE(1) };
	char path[256];
	struct madt_buffer *buffer;

	session_file(path, sizeof path, session.serial, 'b', number);
	buffer = file_map(path, MADT_BUFFER_SIZE(chunks), &first, make, error);
	session.chunks[number] = make ? 1 : chunks;
	if (buffer && engine.leads)
		buffer = buffer_spread(path, buffer, chunks, error);
	if (!buffer)
		return NULL;
	SYS3(__NR_madvise, buffer, MADT_PAGE + chunks * chunk_stride(), MADV_DONTFORK);
	if (make) {
		buffer->version = MADT_LAYOUT_VERSION;
		buffer->chunks = chunks;
		buffer->chunk_words = MADT_CHUNK_WORDS;
		buffer->number = number;
		STORE_RELEASE(&buffer->magic, MADT_BUFFER_MAGIC);
	}
	return buffer;
}

bool session_back_chunk(uint32_t number, uint32_t chunk)
{
	uint32_t backed = LOAD_ACQUIRE(&session.chunks[number]);
	char path[256];

	if (chunk < backed)
		return true;
	session_file(path, sizeof path, session.serial, 'b', number);
	if (!file_allocate(path, 0, MADT_BUFFER_SIZE(chunk + 1)))
		return false;
	while (backed <= chunk
			&& !__atomic_compare_exchange_n(&session.chunks[number], &backed, chunk + 1, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return true;
}

/*
 * A second buffer file doubles the first, and so on; all sizes stay moderate where /dev/shm is
 * small.
 */
bool session_add_buffer(void)
{
	uint32_t number = LOAD_ACQUIRE(&session.control->buffers);
	long error = 0;

	if (number >= MADT_BUFFERS_MAX)
		return false;
	session.buffer[number] = buffer_map(number, MADT_FIRST_BUFFER_CHUNKS, true, &error);
	if (!session.buffer[number])
		return false;
	STORE_RELEASE(&session.control->buffers, number + 1);
	session_ring();
	return true;
}

bool session_map_control(uintptr_t at, bool replace)
{
	char path[256];
	long fd, result;

	session_file(path, sizeof path, session.serial, 'c', 0);
	fd = SYS3(__NR_open, path, O_RDONLY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return false;
	result = SYS6(__NR_mmap, at, MADT_PAGE, PROT_READ,
			MAP_SHARED | (replace ? MAP_FIXED : MAP_FIXED_NOREPLACE), fd, 0);
	SYS1(__NR_close, fd);
	if (result == (long)at && !replace)
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

static bool process_map(bool make, uint32_t parent, uint64_t fork_ticket, long *error)
{
	static const struct part parts[] = { { 0, MADT_NAMES_OFFSET + NAMES_PART },
		{ MADT_RING_OFFSET, RING_PART * sizeof(struct madt_event) },
		{ MADT_OWN_OFFSET, MADT_CONTROL_SIZE - MADT_OWN_OFFSET } };
	char path[256];
	struct madt_control *control;

	session_file(path, sizeof path, session.serial, 'c', 0);
	control = file_map(path, MADT_CONTROL_SIZE, parts, make ? sizeof parts / sizeof *parts : 0,
			error);
	if (!control)
		return false;
	SYS3(__NR_madvise, control, MADT_CONTROL_SIZE, MADV_DONTFORK);
	bytes_set(session.buffer, 0, sizeof session.buffer);
	session.buffer[0] = buffer_map(0, MADT_FIRST_BUFFER_CHUNKS, make, error);
	if (!session.buffer[0])
		return false;
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

static bool control_allocate(size_t start, size_t size)
{
	char path[256];

	session_file(path, sizeof path, session.serial, 'c', 0);
	return file_allocate(path, start, size);
}

/*
 * Called before the last slot of a part is used: the collector looks at the slot behind the last
 * one.
 */
bool session_back_ring(uint64_t slot)
{
	uint32_t backed = LOAD_ACQUIRE(&session.slots), wanted = (uint32_t)slot + RING_PART;

	if (wanted > MADT_RING_SLOTS)
		wanted = MADT_RING_SLOTS;
	for (int tries = 0; !control_allocate(MADT_RING_OFFSET, wanted * sizeof(struct madt_event));
			tries++) {
		if (tries == PART_TRIES || session.gone) {
			session.gone = true;
			return false;
		}
		SYS2(__NR_nanosleep, &part_wait, NULL);
	}
	while (backed < wanted
			&& !__atomic_compare_exchange_n(&session.slots, &backed, wanted, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return true;
}

/* What a fork's child does not inherit (MADV_DONTFORK) carries no mark in the child. */
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
	long error = 0;

	if (!text_copy(session.folder, folder, sizeof session.folder))
		return false;
	text_copy(path, folder, sizeof path);
	text_copy(path + text_length(path), "/session", sizeof path - text_length(path));
	session.page = file_map(path, MADT_PAGE, NULL, 0, &error);
	if (!session.page || session.page->magic != MADT_SESSION_MAGIC
			|| session.page->version != MADT_LAYOUT_VERSION || !session_alive())
		return false;
	return true;
}

bool session_alive(void)
{
	uint32_t holder = LOAD_ACQUIRE(&session.page->launcher[0]);

	if (session.control && LOAD_ACQUIRE(&session.control->stop) == MADT_STOP_EVERYTHING)
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
	uint32_t backed = LOAD_ACQUIRE(&session.names), wanted = end + NAMES_PART;

	if (end <= backed)
		return true;
	if (wanted > MADT_NAMES_SIZE)
		wanted = MADT_NAMES_SIZE;
	if (!control_allocate(MADT_NAMES_OFFSET, wanted))
		return false;
	while (backed < wanted
			&& !__atomic_compare_exchange_n(&session.names, &backed, wanted, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
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
