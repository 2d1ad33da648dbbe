/*
 * A target without libmadt.so: writes into the session's shared memory what the scenario asks for,
 * by the rules of madt_layout.h, so that the collector can be tested alone. Accesses are unknown
 * stores (template 5): code CODE, address ADDRESS + number.
 */
#include "madt_layout.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define CODE UINT64_C(0x700000000000)
#define ADDRESS UINT64_C(0x600000000000)

static struct madt_session *session;
static struct madt_control *control;
static struct madt_buffer *buffer;

static __thread uint32_t chunk;
static __thread uint32_t used; /* words of it, 0: none */

static void *part_map(uint64_t from, size_t size)
{
	char path[512];
	int fd;
	void *at;

	snprintf(path, sizeof path, "%s/session", getenv("MADT_SESSION"));
	fd = open(path, O_RDWR);
	at = fd < 0 ? MAP_FAILED
				: mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)from);
	if (at == MAP_FAILED) {
		perror(path);
		exit(99);
	}
	close(fd);
	return at;
}

static void attach(void)
{
	session = part_map(0, MADT_PAGE);
	control = part_map(MADT_AREA(0), MADT_CONTROL_SIZE);
	buffer = part_map(MADT_AREA(0) + MADT_BUFFERS_AT, MADT_BUFFER_SIZE(MADT_FIRST_BUFFER_CHUNKS));
	__atomic_fetch_add(&session->processes, 1, __ATOMIC_SEQ_CST);
	control->pid = (uint32_t)getpid();
	control->parent = (uint32_t)getppid();
	__atomic_store_n(&control->state, MADT_STATE_READY, __ATOMIC_RELEASE);
}

static void ring_doorbell(void)
{
	__atomic_fetch_add(&session->doorbell, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &session->doorbell, FUTEX_WAKE, 1);
}

/* Waits until the collector has signalled `word`, at most 10 ms: the caller looks again. */
static void signal_wait(uint32_t *word, uint32_t *waiters)
{
	struct timespec limit = { 0, 10000000 };
	uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);

	__atomic_fetch_add(waiters, 1, __ATOMIC_SEQ_CST);
	ring_doorbell();
	syscall(SYS_futex, word, FUTEX_WAIT, before, &limit);
	__atomic_fetch_sub(waiters, 1, __ATOMIC_SEQ_CST);
}

static struct madt_event *slot_take(uint64_t *ticket)
{
	struct madt_event *slots = (struct madt_event *)((char *)control + MADT_RING_OFFSET);

	while (__atomic_fetch_sub(&control->ring_free, 1, __ATOMIC_SEQ_CST) <= 0) {
		__atomic_fetch_add(&control->ring_free, 1, __ATOMIC_SEQ_CST);
		signal_wait(&control->ring_signal, &control->ring_waiters);
	}
	*ticket = __atomic_fetch_add(&control->ring_write, 1, __ATOMIC_SEQ_CST);
	slots[*ticket % MADT_RING_SLOTS].marker = MADT_BUSY;
	return &slots[*ticket % MADT_RING_SLOTS];
}

static void event_put(uint16_t type, uint64_t address)
{
	uint64_t ticket;
	struct madt_event *slot = slot_take(&ticket);

	slot->type = type;
	slot->callers = 0;
	slot->ticket = ticket;
	slot->thread = (uint32_t)gettid();
	slot->name = 0;
	slot->address = address;
	slot->size = 16;
	slot->old = 0;
	slot->old_size = 0;
	__atomic_store_n(&slot->marker, MADT_READY, __ATOMIC_RELEASE);
}

static uint64_t *chunk_words(uint32_t number)
{
	return (uint64_t *)((char *)buffer + MADT_PAGE + (size_t)number * MADT_CHUNK_STRIDE);
}

static void chunk_publish(void)
{
	buffer->chunk[chunk].ticket = __atomic_fetch_add(&control->chunk_ticket, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&buffer->chunk[chunk].state, MADT_READY, __ATOMIC_RELEASE);
	used = 0;
}

static void chunk_claim(void)
{
	struct madt_chunk *head;

	for (uint32_t i = 0;; i = (i + 1) % buffer->chunks) {
		uint32_t expected = MADT_FREE;

		if (__atomic_compare_exchange_n(&buffer->chunk[i].state, &expected, MADT_BUSY, 0,
					__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			chunk = i;
			break;
		}
		if (i == buffer->chunks - 1)
			signal_wait(&control->chunk_signal, &control->chunk_waiters);
	}
	head = (struct madt_chunk *)chunk_words(chunk);
	if (head->filled == MADT_CHUNK_RAW)
		memset(chunk_words(chunk) + MADT_CHUNK_HEADER_WORDS, 0xff, MADT_CHUNK_BYTES - sizeof *head);
	head->thread = (uint32_t)gettid();
	head->process = (uint32_t)getpid();
	head->epoch = __atomic_load_n(&control->ring_write, __ATOMIC_SEQ_CST);
	head->tsc = __rdtsc();
	__atomic_store_n(&head->filled, MADT_CHUNK_LIVE, __ATOMIC_RELEASE);
	used = MADT_CHUNK_HEADER_WORDS;
}

static void store_put(uint64_t number)
{
	uint64_t *words, epoch;

	if (used && used + 3 > MADT_CHUNK_WORDS)
		chunk_publish();
	if (!used)
		chunk_claim();
	words = chunk_words(chunk) + used;
	epoch = __atomic_load_n(&control->ring_write, __ATOMIC_SEQ_CST);
	words[1] = CODE;
	words[2] = ADDRESS + number;
	__atomic_store_n(words, MADT_RECORD_HEADER(MADT_TEMPLATE_WRITE_UNKNOWN, epoch),
			__ATOMIC_RELEASE);
	used += 3;
}

/* Event i, then store i, and so on. */
static void scenario_order(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		event_put(MADT_EVENT_MALLOC, i);
		store_put(i);
	}
}

static void *worker(void *first)
{
	uint64_t start = (uint64_t)(uintptr_t)first;

	for (uint64_t i = 0; i < 30011; i++) {
		if (i % 7 == 0)
			event_put(MADT_EVENT_MALLOC, start + i);
		store_put(start + i);
	}
	chunk_publish();
	return NULL;
}

static void scenario_threads(uint64_t count)
{
	pthread_t threads[8];

	for (uint64_t i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(uintptr_t)(i << 32));
	for (uint64_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* Ends by SIGKILL with a half-written slot between two whole ones and a chunk that is still its
 * own. */
static void scenario_dead(uint64_t count)
{
	uint64_t ticket;

	event_put(MADT_EVENT_MALLOC, 0);
	slot_take(&ticket);
	event_put(MADT_EVENT_MALLOC, 1);
	for (uint64_t i = 0; i < count; i++)
		store_put(i);
	kill(getpid(), SIGKILL);
}

/* A word that is no header, behind good ones. */
static void scenario_damage(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		store_put(i);
	chunk_words(chunk)[used] = 42;
}

/* Stores until the collector says stop, at most a hundred times as many as it allows. */
static void scenario_stop(uint64_t count)
{
	for (uint64_t i = 0; i < 100 * count && !__atomic_load_n(&control->stop, __ATOMIC_SEQ_CST);
			i++) {
		store_put(i);
		if (i >= count) {
			ring_doorbell();
			usleep(1000);
		}
	}
}

/* Windows: only stores between the markers count. */
static void scenario_windows(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		event_put(MADT_EVENT_RECORD_START, 0);
		store_put(2 * i);
		event_put(MADT_EVENT_RECORD_STOP, 0);
		store_put(2 * i + 1);
	}
}

static uint64_t scattered(uint64_t i)
{
	uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 34;
}

/* Stores all over a GiB as fast as can be, which compress badly, and an event now and then. */
static void scenario_flood(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		if (i % 100003 == 0)
			event_put(MADT_EVENT_MALLOC, i);
		store_put(scattered(i));
	}
}

/* A flood in two halves. Behind the first it says so on stderr, and waits for a line, or the end,
 * of stdin. */
static void scenario_floods(uint64_t count)
{
	char line;

	for (uint64_t i = 0; i < count; i++) {
		if (i % 100003 == 0)
			event_put(MADT_EVENT_MALLOC, i);
		store_put(scattered(i));
		if (i == count / 2 && (write(2, "flooded\n", 8) != 8 || read(0, &line, 1) < 0))
			exit(97);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(uint64_t);
	} scenarios[] = {
		{ "order", scenario_order },
		{ "threads", scenario_threads },
		{ "dead", scenario_dead },
		{ "damage", scenario_damage },
		{ "stop", scenario_stop },
		{ "windows", scenario_windows },
		{ "flood", scenario_flood },
		{ "floods", scenario_floods },
	};

	if (argc != 3)
		return 98;
	attach();
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (strcmp(argv[1], scenarios[i].name) == 0)
			scenarios[i].run(strtoull(argv[2], NULL, 10));
	return 7;
}
