/*
 * Where threads are while they run: their instruction pointers, taken by the kernel as often as
 * they have used so much processor time (perf_event_open(2), a software clock), outside of the
 * kernel. The processes notice nothing of it.
 *
 * One ring of the kernel's for each processor, into which the events of all threads write. Threads
 * that are begun by one with events, and processes, have events, too.
 */
#include "encode.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING_BYTES (UINT64_C(8) * 4096)
#define PAGE_BYTES 4096
#define PERIOD UINT64_C(10000000) /* nanoseconds of a thread's processor time */

/* A record as these events write it. */
struct sample {
	struct perf_event_header head;
	uint64_t code;
	uint32_t pid, tid;
};

struct samples {
	uint32_t processors;
	size_t count, room;
	int *descriptor;
	struct perf_event_mmap_page **page; /* by processor; NULL: none yet */
	int *owner;                         /* by processor: whose ring it is */
};

static int event_open(int tid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(__NR_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

struct samples *madt_samples_open(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_CONF);
	struct samples *samples = calloc(1, sizeof *samples);

	if (!samples)
		return NULL;
	samples->processors = (uint32_t)processors;
	samples->page = calloc(samples->processors, sizeof(struct perf_event_mmap_page *));
	samples->owner = calloc(samples->processors, sizeof *samples->owner);
	if (samples->page && samples->owner)
		return samples;
	madt_samples_close(samples);
	return NULL;
}

/* The first event of a processor has its ring. */
static bool ring_join(struct samples *samples, int descriptor, uint32_t cpu)
{
	void *page;

	if (samples->page[cpu])
		return ioctl(descriptor, PERF_EVENT_IOC_SET_OUTPUT, samples->owner[cpu]) == 0;
	page = mmap(NULL, PAGE_BYTES + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (page == MAP_FAILED)
		return false;
	samples->page[cpu] = page;
	samples->owner[cpu] = descriptor;
	return true;
}

static bool descriptor_keep(struct samples *samples, int descriptor)
{
	if (samples->count == samples->room) {
		const size_t room = samples->room ? 2 * samples->room : 64;
		int *grown = realloc(samples->descriptor, room * sizeof *grown);

		if (!grown)
			return false;
		samples->descriptor = grown;
		samples->room = room;
	}
	samples->descriptor[samples->count++] = descriptor;
	return true;
}

/* On a processor that is off there are no threads. */
static bool sample_on(struct samples *samples, int tid, uint32_t cpu)
{
	const int descriptor = event_open(tid, (int)cpu);

	if (descriptor < 0)
		return errno == ENODEV;
	if (ring_join(samples, descriptor, cpu) && descriptor_keep(samples, descriptor))
		return true;
	close(descriptor);
	return false;
}

int madt_samples_add(struct samples *samples, int tid)
{
	for (uint32_t cpu = 0; cpu < samples->processors; cpu++)
		if (!sample_on(samples, tid, cpu))
			return 0;
	return 1;
}

static void ring_copy(const struct perf_event_mmap_page *page, uint64_t at, void *to, size_t size)
{
	const char *data = (const char *)page + page->data_offset;
	uint64_t first = RING_BYTES - at % RING_BYTES;

	if (first > size)
		first = size;
	memcpy(to, data + at % RING_BYTES, first);
	memcpy((char *)to + first, data, size - first);
}

static uint32_t ring_read(struct perf_event_mmap_page *page, uint64_t *out, uint32_t most)
{
	const uint64_t end = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = page->data_tail;
	uint32_t taken = 0;

	while (at < end && taken < most) {
		struct sample sample;

		ring_copy(page, at, &sample, sizeof sample.head);
		if (sample.head.type == PERF_RECORD_SAMPLE && sample.head.size == sizeof sample) {
			ring_copy(page, at, &sample, sizeof sample);
			out[(size_t)MADT_SAMPLE_WORDS * taken] = (uint64_t)sample.pid << 32 | sample.tid;
			out[(size_t)MADT_SAMPLE_WORDS * taken + 1] = sample.code;
			taken++;
		}
		at += sample.head.size;
	}
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
	return taken;
}

uint32_t madt_samples_read(struct samples *samples, uint64_t *out, uint32_t most)
{
	uint32_t taken = 0;

	for (uint32_t cpu = 0; cpu < samples->processors && taken < most; cpu++)
		if (samples->page[cpu])
			taken += ring_read(samples->page[cpu], out + (size_t)MADT_SAMPLE_WORDS * taken,
					most - taken);
	return taken;
}

void madt_samples_close(struct samples *samples)
{
	for (uint32_t cpu = 0; samples->page && cpu < samples->processors; cpu++)
		if (samples->page[cpu])
			munmap(samples->page[cpu], PAGE_BYTES + RING_BYTES);
	for (size_t i = 0; i < samples->count; i++)
		close(samples->descriptor[i]);
	free(samples->page);
	free(samples->owner);
	free(samples->descriptor);
	free(samples);
}
