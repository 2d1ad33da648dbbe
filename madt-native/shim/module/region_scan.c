/* What /proc/thread-self/maps says: what is there at the start, and of which file it is. */
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

struct line {
	uintptr_t start, end;
	uint32_t protection;
	const char *name; /* with a / or a [, or empty */
};

static struct line line_parse(const char *text)
{
	struct line line = { .start = parse_hex(&text) };

	text++;
	line.end = parse_hex(&text);
	text++;
	line.protection |= text[0] == 'r' ? PROT_READ : 0;
	line.protection |= text[1] == 'w' ? PROT_WRITE : 0;
	line.protection |= text[2] == 'x' ? PROT_EXEC : 0;
	for (line.name = text; *line.name && *line.name != '/' && *line.name != '['; line.name++)
		;
	return line;
}

static void scan_line(const struct line *line, void *unused)
{
	uintptr_t part;

	(void)unused;
	for (uintptr_t start = line->start; start < line->end; start = part) {
		part = module_edge(start);
		if (part > line->end)
			part = line->end;
		scan_part(start, part, line->protection, line->name);
	}
}

/* A file whose mappings are read, one behind the other. */
struct looked_for {
	uintptr_t address, start;
	char *name;
	size_t size;
	bool found; /* one of them has the address */
};

static void file_line(const struct line *line, void *of)
{
	struct looked_for *wanted = of;
	size_t bytes = text_length(line->name) + 1;

	if (wanted->found || *line->name != '/' || bytes > wanted->size)
		return;
	if (bytes_compare(wanted->name, line->name, bytes) != 0) {
		bytes_copy(wanted->name, line->name, bytes);
		wanted->start = line->start;
	}
	wanted->found = wanted->address >= line->start && wanted->address < line->end;
}

static void maps_walk(void (*take)(const struct line *line, void *for_whom), void *for_whom)
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
			const struct line parsed = line_parse(line);
			take(&parsed, for_whom);
			line = end + 1;
		}
		kept = (size_t)(text + kept - line);
		for (size_t i = 0; i < kept; i++)
			text[i] = line[i];
	}
	if (!sys_failed(fd))
		SYS1(__NR_close, fd);
}

void region_scan(void)
{
	maps_walk(scan_line, NULL);
}

uintptr_t region_file(uintptr_t address, char *name, size_t size)
{
	struct looked_for wanted = { .address = address, .name = name, .size = size };

	*name = 0;
	maps_walk(file_line, &wanted);
	if (!wanted.found)
		*name = 0;
	return wanted.found ? wanted.start : 0;
}
