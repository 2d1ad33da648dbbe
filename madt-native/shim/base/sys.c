#include "base/sys.h"

#include <sys/mman.h>

/*
 * Below where the kernel puts mappings, from the top down, a terabyte away from the first: a target
 * that maps at addresses of its own choice finds them free. Sanitizers want nearly all of the
 * address space; they leave what is above 0x7e8000000000 to mappings, and ThreadSanitizer ends a
 * program that has one where it wants none.
 */
#define OWN_MEMORY UINT64_C(0x7ea000000000)

bool sys_limit_lift(int resource, struct rlimit *before)
{
	struct rlimit higher = { RLIM_INFINITY, RLIM_INFINITY };

	if (sys_failed(SYS4(__NR_prlimit64, 0, resource, NULL, before))
			|| before->rlim_cur == RLIM_INFINITY)
		return false;
	if (!sys_failed(SYS4(__NR_prlimit64, 0, resource, &higher, NULL)))
		return true;
	higher.rlim_cur = higher.rlim_max = before->rlim_max;
	return !sys_failed(SYS4(__NR_prlimit64, 0, resource, &higher, NULL));
}

void sys_limit_restore(int resource, const struct rlimit *before)
{
	SYS4(__NR_prlimit64, 0, resource, before, NULL);
}

uintptr_t sys_wish(size_t size)
{
	static uintptr_t used;

	return OWN_MEMORY + __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
}

long sys_map_at(size_t bytes, int protection, int flags, long fd, size_t offset)
{
	size_t size = (bytes + 4095) & ~(size_t)4095;
	long at = SYS6(__NR_mmap, sys_wish(size), size, protection, flags, fd, offset);

	if (!sys_failed(at))
		own_add((uintptr_t)at, size);
	return at;
}

long sys_map(size_t bytes, int protection, int flags, long fd)
{
	return sys_map_at(bytes, protection, flags, fd, 0);
}

void sys_unmap(uintptr_t at, size_t bytes)
{
	own_remove(at);
	SYS2(__NR_munmap, at, bytes);
}

void *sys_pages(size_t bytes)
{
	long p = sys_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	return sys_failed(p) ? NULL : (void *)p;
}

void bytes_copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

void bytes_set(void *to, int value, size_t n)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
}

int bytes_compare(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

size_t text_length(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

bool text_begins(const char *s, const char *prefix)
{
	while (*prefix)
		if (*s++ != *prefix++)
			return false;
	return true;
}

bool text_copy(char *to, const char *from, size_t size)
{
	size_t i = 0;

	for (; i + 1 < size && from[i]; i++)
		to[i] = from[i];
	to[i] = 0;
	return !from[i];
}

char *text_number(char *to, uint64_t value)
{
	char digits[20];
	int n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		*to++ = digits[--n];
	*to = 0;
	return to;
}

void say(const char *what, const char *detail)
{
	char line[512];

	text_copy(line, "madt: ", sizeof line);
	text_copy(line + text_length(line), what, sizeof line - text_length(line) - 1);
	text_copy(line + text_length(line), detail, sizeof line - text_length(line) - 1);
	text_copy(line + text_length(line), "\n", 2);
	SYS3(__NR_write, 2, line, text_length(line));
}
