/* The first look at /proc/thread-self/maps. */
#include "module/module.h"

#include "base/state.h"
#include "region/region.h"
#include "session/session.h"

#include <fcntl.h>
#include <sys/mman.h>

static uintptr_t parse_hex(const char **p)
{
	uintptr_t value = 0;

	for (;; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			value = value * 16 + (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (uintptr_t)(c - 'a' + 10);
		else
			return value;
	}
}

/*
 * Traced are the modules' images and the heap. Other memory that exists before the program's first
 * instruction belongs to the loader (link maps, the main thread's thread-local storage), the kernel
 * or MadT. One line may hold several of them: the kernel joins what lies side by side, for example
 * the last module's .bss and the main thread's storage.
 */
static void scan_part(uintptr_t start, uintptr_t end, uint32_t protection, const char *name)
{
	bool heap = text_begins(name, "[heap]");
	uint32_t flags = 0;

	if ((*name != '[' || heap) && module_covers(start))
		flags = REGION_TRACED | (*name == '/' ? 0 : REGION_PRIVATE);
	else if (heap)
		flags = (session.page->scope & MADT_SCOPE_HEAP ? REGION_TRACED : 0) | REGION_HEAP
				| REGION_PRIVATE;
	else if (text_begins(name, "[stack]"))
		flags = REGION_STACK;
	region_add(start, end, protection, flags);
}

static void scan_line(const char *line)
{
	uintptr_t start = parse_hex(&line), end, part;
	uint32_t protection = 0;
	const char *name;

	line++;
	end = parse_hex(&line);
	line++;
	protection |= line[0] == 'r' ? PROT_READ : 0;
	protection |= line[1] == 'w' ? PROT_WRITE : 0;
	protection |= line[2] == 'x' ? PROT_EXEC : 0;
	for (name = line; *name && *name != '/' && *name != '['; name++)
		;
	for (; start < end; start = part) {
		part = module_edge(start);
		if (part > end)
			part = end;
		scan_part(start, part, protection, name);
	}
}

void region_scan(void)
{
	static char text[8192];
	size_t kept = 0;
	long fd = SYS3(__NR_open, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0), n;

	while (!sys_failed(fd) && (n = SYS3(__NR_read, fd, text + kept, sizeof text - 1 - kept)) > 0) {
		char *line = text, *end;

		kept += (size_t)n;
		text[kept] = 0;
		for (;;) {
			for (end = line; *end && *end != '\n'; end++)
				;
			if (!*end)
				break;
			*end = 0;
			scan_line(line);
			line = end + 1;
		}
		kept = (size_t)(text + kept - line);
		for (size_t i = 0; i < kept; i++)
			text[i] = line[i];
	}
	if (!sys_failed(fd))
		SYS1(__NR_close, fd);
}
