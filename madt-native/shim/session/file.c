/*
 * Files that the process shares with the launcher. A file's parts are allocated before they are
 * used, so that a full disk is an error there and no SIGBUS later; and only then, since most
 * processes need little of what there may be.
 */
#include "session/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

static long parts_allocate(long fd, const struct part *part, size_t parts)
{
	long result = 0;

	for (; parts > 0 && !sys_failed(result); part++, parts--)
		result = SYS4(__NR_fallocate, fd, 0, part->start, part->size);
	return result;
}

bool file_allocate(const char *path, size_t start, size_t size)
{
	struct part part = { start, size };
	long fd = SYS3(__NR_open, path, O_RDWR | O_CLOEXEC, 0), result = fd;

	if (!sys_failed(fd)) {
		result = parts_allocate(fd, &part, 1);
		SYS1(__NR_close, fd);
	}
	return !sys_failed(result);
}

static long file_make(long fd, size_t size, const struct part *part, size_t parts)
{
	long result = parts_allocate(fd, part, parts);

	return sys_failed(result) ? result : SYS2(__NR_ftruncate, fd, size);
}

/*
 * RLIMIT_FSIZE is about the program's files. A larger one of MadT's raises SIGXFSZ, which nobody is
 * to see, and is made behind a higher limit if the process may have that.
 */
static long file_make_unlimited(long fd, size_t size, const struct part *part, size_t parts)
{
	static const uint64_t ignore[4] = { 1 }; /* the kernel's form: handler, flags, restorer, mask */
	uint64_t own[4];
	struct rlimit limit;
	long result;

	SYS4(__NR_rt_sigaction, SIGXFSZ, ignore, own, KERNEL_SET);
	result = file_make(fd, size, part, parts);
	if (result == -EFBIG && sys_limit_lift(RLIMIT_FSIZE, &limit)) {
		result = file_make(fd, size, part, parts);
		sys_limit_restore(RLIMIT_FSIZE, &limit);
	}
	/* Blocked, it waits although it is ignored, until it is ignored anew. */
	SYS4(__NR_rt_sigaction, SIGXFSZ, ignore, NULL, KERNEL_SET);
	SYS4(__NR_rt_sigaction, SIGXFSZ, own, NULL, KERNEL_SET);
	return result;
}

void *file_map(const char *path, size_t size, const struct part *part, size_t parts, long *error)
{
	bool make = parts > 0;
	long fd = SYS4(__NR_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_EXCL : 0),
			0600);
	long result = fd;

	if (!sys_failed(fd) && make)
		result = file_make_unlimited(fd, size, part, parts);
	if (!sys_failed(result))
		result = sys_map(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	if (!sys_failed(fd))
		SYS1(__NR_close, fd);
	if (sys_failed(result)) {
		if (make && !sys_failed(fd))
			SYS1(__NR_unlink, path);
		*error = -result;
		return NULL;
	}
	return (void *)result;
}
