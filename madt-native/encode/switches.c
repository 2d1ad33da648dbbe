/*
 * When threads have no processor: the kernel's records of context switches (perf_event_open(2), a
 * software event that counts nothing). Where the system permits it (CAP_PERFMON, or
 * perf_event_paranoid below 1) those of all threads of the machine come, and say who came next;
 * else those of one process and its descendants.
 *
 * One ring of the kernel's for each processor. Records of a processor are in the order of time; a
 * reading merges them, up to the time at which it began, so that no thread is seen on a processor
 * before it was seen off another.
 */
#include "encode.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Of a ring: 75,000 switches, as long as all rings have no more than ALL_BYTES; less, down to the
 * least, where the system does not permit that much (perf_event_mlock_kb, RLIMIT_MEMLOCK).
 */
#define MOST_BYTES (UINT64_C(1024) * 4096)
#define LEAST_BYTES (UINT64_C(64) * 4096)
#define ALL_BYTES (UINT64_C(64) << 20)
#define PAGE_BYTES 4096
#define RECORD_MOST 256
#define NO_LONGER UINT32_MAX /* the number of a thread that has ended but for its last switch */

struct ring {
	int descriptor;
	struct perf_event_mmap_page *page;
};

struct switches {
	bool wide; /* of all threads of the machine */
	uint32_t count;
	uint64_t bytes; /* of each ring; a power of two */
	uint64_t lost;
	struct ring ring[];
};

/* A record, whole; `time` all ones: there is none. */
struct record {
	struct perf_event_header head;
	uint32_t next_pid, next_tid; /* wide: who came next, or was there before */
	uint32_t pid, tid;
	uint64_t time;
};

static int event_open(int pid, int cpu, bool wide)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.inherit = !wide,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.context_switch = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
	};
	return (int)syscall(__NR_perf_event_open, &attr, wide ? -1 : pid, cpu, -1,
			PERF_FLAG_FD_CLOEXEC);
}

static bool ring_open(struct ring *ring, int pid, int cpu, bool wide, uint64_t bytes)
{
	ring->descriptor = event_open(pid, cpu, wide);
	if (ring->descriptor < 0)
		return false;
	ring->page = mmap(NULL, PAGE_BYTES + bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			ring->descriptor, 0);
	if (ring->page == MAP_FAILED) {
		close(ring->descriptor);
		errno = EPERM;
		return false;
	}
	return true;
}

void madt_switches_close(struct switches *switches)
{
	for (uint32_t i = 0; i < switches->count; i++) {
		munmap(switches->ring[i].page, PAGE_BYTES + switches->bytes);
		close(switches->ring[i].descriptor);
	}
	free(switches);
}

/* On all processors, or not at all; one that is off is left out. */
static bool rings_open(struct switches *switches, int pid, bool wide, uint64_t bytes)
{
	long processors = sysconf(_SC_NPROCESSORS_CONF);
	switches->wide = wide;
	switches->bytes = bytes;
	for (int cpu = 0; cpu < processors; cpu++) {
		if (ring_open(&switches->ring[switches->count], pid, cpu, wide, switches->bytes))
			switches->count++;
		else if (errno != ENODEV)
			break;
	}
	return switches->count > 0 && switches->count >= (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* NULL if that is not permitted, or there is no memory. */
static struct switches *switches_open(int pid, bool wide, uint64_t bytes)
{
	struct switches *switches = calloc(1,
			sizeof *switches + (size_t)sysconf(_SC_NPROCESSORS_CONF) * sizeof(struct ring));

	if (!switches || rings_open(switches, pid, wide, bytes))
		return switches;
	madt_switches_close(switches);
	return NULL;
}

struct switches *madt_switches_open(int pid)
{
	uint64_t most = MOST_BYTES;

	while (most > LEAST_BYTES && most * (uint64_t)sysconf(_SC_NPROCESSORS_CONF) > ALL_BYTES)
		most /= 2;
	for (int wide = 1; wide >= 0; wide--) {
		for (uint64_t bytes = most; bytes >= LEAST_BYTES; bytes /= 2) {
			struct switches *switches = switches_open(pid, wide, bytes);
			if (switches)
				return switches;
		}
	}
	return NULL;
}

static void ring_copy(const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const char *data = (const char *)ring->page + ring->page->data_offset;
	uint64_t bytes = ring->page->data_size, first = bytes - at % bytes;
	if (first > size)
		first = size;
	memcpy(to, data + at % bytes, first);
	memcpy((char *)to + first, data, size - first);
}

static bool is_switch(const struct perf_event_header *head)
{
	return head->type == PERF_RECORD_SWITCH || head->type == PERF_RECORD_SWITCH_CPU_WIDE;
}

static void ring_take(struct ring *ring, uint64_t bytes)
{
	__atomic_store_n(&ring->page->data_tail, ring->page->data_tail + bytes, __ATOMIC_RELEASE);
}

/* The first record of a switch, which stays there. */
static struct record ring_first(struct switches *switches, struct ring *ring)
{
	struct record record = { .time = UINT64_MAX };
	uint64_t end = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	while (ring->page->data_tail < end) {
		uint64_t at = ring->page->data_tail, words[RECORD_MOST / 8];
		ring_copy(ring, at, &record.head, sizeof record.head);
		if (is_switch(&record.head) && record.head.size <= RECORD_MOST) {
			bool wide = record.head.type == PERF_RECORD_SWITCH_CPU_WIDE;
			ring_copy(ring, at, words, record.head.size);
			if (wide)
				memcpy(&record.next_pid, &words[1], 8);
			memcpy(&record.pid, &words[wide ? 2 : 1], 8);
			if (record.tid != NO_LONGER) {
				record.time = words[wide ? 3 : 2];
				return record;
			}
		}
		if (record.head.type == PERF_RECORD_LOST) {
			ring_copy(ring, at + 16, words, 8);
			switches->lost += words[0];
		}
		ring_take(ring, record.head.size);
	}
	return record;
}

/* The ring whose first record is the earliest of all up to a time; NULL if none is. */
static struct ring *ring_earliest(struct switches *switches, struct record *heads, uint64_t until)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < switches->count; i++)
		if (heads[i].time < heads[best].time)
			best = i;
	return heads[best].time <= until ? &switches->ring[best] : NULL;
}

static void record_give(const struct record *record, uint64_t *out)
{
	out[0] = record->time;
	out[1] = (uint64_t)record->pid << 32 | record->tid;
	out[2] = record->head.misc & PERF_RECORD_MISC_SWITCH_OUT ? 1 : 0;
	if (record->head.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		out[2] |= 2;
	out[3] = (uint64_t)record->next_pid << 32 | record->next_tid;
}

uint32_t madt_switches_read(struct switches *switches, uint64_t *out, uint32_t most)
{
	struct record *heads = malloc(switches->count * sizeof *heads);
	struct timespec now;
	uint64_t until;
	uint32_t taken = 0;
	struct ring *ring;

	if (!heads)
		return 0;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	until = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	for (uint32_t i = 0; i < switches->count; i++)
		heads[i] = ring_first(switches, &switches->ring[i]);
	while (taken < most && (ring = ring_earliest(switches, heads, until))) {
		struct record *head = &heads[ring - switches->ring];
		record_give(head, out + (size_t)MADT_SWITCH_WORDS * taken++);
		ring_take(ring, head->head.size);
		*head = ring_first(switches, ring);
	}
	free(heads);
	return taken;
}

uint64_t madt_switches_lost(const struct switches *switches)
{
	return switches->lost;
}

int madt_switches_are_wide(const struct switches *switches)
{
	return switches->wide;
}
