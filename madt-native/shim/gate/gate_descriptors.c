/*
 * Sets of descriptors that lead to files of one kind, followed from the call that opens one to the
 * calls that copy and close it.
 */
#include "gate/gate_parts.h"

#include <fcntl.h>

bool descriptor_marked(const struct descriptor_set *set, long descriptor)
{
	return (unsigned long)descriptor < DESCRIPTORS_KNOWN
			&& (__atomic_load_n(&set->bits[descriptor / 32], __ATOMIC_RELAXED) >> descriptor % 32
					& 1);
}

static void mark(struct descriptor_set *set, long descriptor, bool member)
{
	uint32_t bit = UINT32_C(1) << descriptor % 32;

	if (descriptor_marked(set, descriptor) == member
			|| (unsigned long)descriptor >= DESCRIPTORS_KNOWN)
		return;
	if (member)
		__atomic_fetch_or(&set->bits[descriptor / 32], bit, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&set->bits[descriptor / 32], ~bit, __ATOMIC_RELAXED);
}

void descriptors_follow(struct descriptor_set *set, const struct pending *pending, long result,
		descriptor_kind *kind)
{
	const long *a = pending->argument;

	if (sys_failed(result))
		return;
	switch (pending->number) {
	case __NR_open:
	case __NR_creat:
		mark(set, result, kind((uintptr_t)a[0], AT_FDCWD, result));
		break;
	case __NR_openat:
	case __NR_openat2:
		mark(set, result, kind((uintptr_t)a[1], a[0], result));
		break;
	case __NR_dup:
	case __NR_dup2:
	case __NR_dup3:
		mark(set, result, descriptor_marked(set, a[0]));
		break;
	case __NR_fcntl:
		if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC)
			mark(set, result, descriptor_marked(set, a[0]));
		break;
	case __NR_close:
		mark(set, a[0], false);
		break;
	}
}
