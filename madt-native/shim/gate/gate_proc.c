/*
 * Files of /proc: what they tell of mappings (maps, smaps, numa_maps), and whether what they
 * transfer may be transferred (mem), depends on the protection of pages. So their calls find all
 * pages with the protection that the target asked for.
 */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"

#include <linux/magic.h>
#include <sys/statfs.h>

static struct descriptor_set of_proc;

/* /proc/self/fd/0 may be something else, which is waited for. */
static bool lies_in_proc(long descriptor)
{
	struct statfs file;

	return !sys_failed(SYS2(__NR_fstatfs, descriptor, &file)) && file.f_type == PROC_SUPER_MAGIC;
}

static bool leads_there(uintptr_t path, long folder, long descriptor)
{
	char begin[8];

	region_read_text(begin, path, sizeof begin);
	return (begin[0] == '/' ? text_begins(begin, "/proc/") : descriptor_marked(&of_proc, folder))
			&& lies_in_proc(descriptor);
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
		return descriptor_marked(&of_proc, pending->argument[0]);
	case __NR_sendfile:
		return descriptor_marked(&of_proc, pending->argument[1]);
	default:
		return false;
	}
}

void gate_proc_follow(const struct pending *pending, long result)
{
	if (engine.closes)
		descriptors_follow(&of_proc, pending, result, leads_there);
}
