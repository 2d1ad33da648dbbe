/*
 * Files of /proc: what they tell of mappings (maps, smaps, numa_maps), and whether what they transfer may be transferred (mem), depends on
 * the protection of pages. So their calls find all pages with the protection that the target asked for.
 */
#include "gate.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>

#define DESCRIPTORS 4096 /* of which it is known; beyond them, the descriptor is taken for another file's */

static uint32_t of_proc[DESCRIPTORS / 32];

static bool marked(long descriptor)
{
	return (unsigned long)descriptor < DESCRIPTORS &&
		(__atomic_load_n(&of_proc[descriptor / 32], __ATOMIC_RELAXED) >> descriptor % 32 & 1);
}

static void mark(long descriptor, bool proc)
{
	uint32_t bit = UINT32_C(1) << descriptor % 32;

	if ((unsigned long)descriptor >= DESCRIPTORS)
		return;
	if (proc)
		__atomic_fetch_or(&of_proc[descriptor / 32], bit, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&of_proc[descriptor / 32], ~bit, __ATOMIC_RELAXED);
}

/* /proc/self/fd/0 may be something else, which is waited for. */
static bool lies_in_proc(long descriptor)
{
	struct statfs file;

	return !sys_failed(SYS2(__NR_fstatfs, descriptor, &file)) && file.f_type == PROC_SUPER_MAGIC;
}

static bool path_leads_there(uintptr_t path, long folder)
{
	char begin[8];

	region_read_text(begin, path, sizeof begin);
	return begin[0] == '/' ? text_begins(begin, "/proc/") : marked(folder);
}

bool gate_proc_file(const struct pending *pending)
{
	switch (pending->number) {
	case __NR_read:
	case __NR_pread64:
	case __NR_readv:
	case __NR_preadv:
	case __NR_preadv2:
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
		return marked(pending->argument[0]);
	case __NR_sendfile:
		return marked(pending->argument[1]);
	default:
		return false;
	}
}

void gate_proc_follow(const struct pending *pending, long result)
{
	const long *a = pending->argument;

	if (splice_on || sys_failed(result))
		return;
	switch (pending->number) {
	case __NR_open:
	case __NR_creat:
		mark(result, path_leads_there((uintptr_t)a[0], AT_FDCWD) && lies_in_proc(result));
		break;
	case __NR_openat:
	case __NR_openat2:
		mark(result, path_leads_there((uintptr_t)a[1], a[0]) && lies_in_proc(result));
		break;
	case __NR_dup:
	case __NR_dup2:
	case __NR_dup3:
		mark(result, marked(a[0]));
		break;
	case __NR_fcntl:
		if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC)
			mark(result, marked(a[0]));
		break;
	case __NR_close:
		mark(a[0], false);
		break;
	}
}
