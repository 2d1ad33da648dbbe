/* In place of the C library's functions: see alone.h. Nobody is asked who takes a lock. */
#include "start/alone.h"

#include <elf.h>
#include <fcntl.h>

/* As the kernel has it, where the stack may have been overwritten. */
unsigned long madt_alone_getauxval(unsigned long type)
{
	Elf64_auxv_t entry;
	unsigned long value = 0;
	long fd = SYS3(__NR_open, "/proc/self/auxv", O_RDONLY | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return 0;
	while (!value && SYS3(__NR_read, fd, &entry, sizeof entry) == sizeof entry
			&& entry.a_type != AT_NULL)
		if (entry.a_type == type)
			value = entry.a_un.a_val;
	SYS1(__NR_close, fd);
	return value;
}

/* Functions of the target's are called through hooks alone. */
void *madt_alone_dlsym(void *handle, const char *name)
{
	(void)handle;
	(void)name;
	return NULL;
}

void *madt_alone_dlopen(const char *name, int mode)
{
	(void)name;
	(void)mode;
	return NULL;
}

int madt_alone_dladdr1(const void *address, void *info, void **extra, int flags)
{
	(void)address;
	(void)info;
	(void)extra;
	(void)flags;
	return 0;
}

int *madt_alone___errno_location(void)
{
	static int none;

	return &none;
}
