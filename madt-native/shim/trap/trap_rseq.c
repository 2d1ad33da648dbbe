/*
 * Restartable sequences (linux/rseq.h) and closed pages. The kernel reads a sequence's descriptor
 * whenever it has interrupted the thread, and kills the process if it cannot: pages in which a
 * module keeps some stay open, and those in which the program makes one. They are known by what
 * the kernel wants of them, a signature in front of the abort address.
 *
 * A closed page that is accessed within a sequence aborts it, and would each time: such a page
 * stays open as well.
 */
#include "trap/trap.h"

#include "module/module.h"
#include "region/region.h"
#include "session/session.h"

#define SIGNATURE 0x53053053u
#define SIGNED "\x53\x30\x05\x53" /* its bytes */
#define LENGTH_MAX 0x10000u

struct descriptor {
	uint32_t version, flags;
	uint64_t start, length, abort;
};

static bool signature_stands(uintptr_t behind)
{
	uint32_t found = 0;

	return region_read(&found, behind - sizeof found, sizeof found) == sizeof found
			&& found == SIGNATURE;
}

static bool is_descriptor(const struct descriptor *found)
{
	const struct module *module = found->version || !found->length || found->length >= LENGTH_MAX
					|| found->abort - found->start < found->length
			? NULL
			: module_of(found->start);

	return module && module_of(found->abort) == module && signature_stands(found->abort);
}

static void page_look(uintptr_t page)
{
	struct descriptor found[MADT_PAGE / sizeof(struct descriptor)];
	size_t count = region_read(found, page, sizeof found) / sizeof *found;

	for (size_t i = 0; i < count; i++)
		if (is_descriptor(&found[i])) {
			region_untrace(page, page + MADT_PAGE);
			return;
		}
}

void trap_rseq_module(const struct module *module)
{
	ElfW(Ehdr) header;
	ElfW(Phdr) segment;
	uintptr_t at;

	/* a library that comes later has its headers in pages that are closed */
	if (region_read(&header, module->start, sizeof header) != sizeof header
			|| bytes_compare(header.e_ident, ELFMAG, SELFMAG))
		return;
	at = module->start + header.e_phoff;
	for (unsigned i = 0; i < header.e_phnum; i++, at += sizeof segment) {
		uintptr_t start;

		if (region_read(&segment, at, sizeof segment) != sizeof segment)
			return;
		start = module->bias + segment.p_vaddr;
		if (segment.p_type == PT_LOAD && segment.p_flags & PF_W)
			for (uintptr_t page = PAGE_DOWN(start); page < start + segment.p_filesz;
					page += MADT_PAGE)
				page_look(page);
	}
}

void trap_rseq_written(uintptr_t address)
{
	const uintptr_t at = address & ~(sizeof(struct descriptor) - 1);
	struct descriptor found;

	if (region_read(&found, at, sizeof found) != sizeof found)
		return; /* another thread may close the page at any time */
	if (is_descriptor(&found))
		region_untrace(PAGE_DOWN(at), PAGE_DOWN(at) + MADT_PAGE);
}

bool trap_rseq_aborted(uintptr_t code, uintptr_t page)
{
	const struct module *module = module_of(code);
	const uintptr_t before = code - sizeof(uint32_t);

	if (!module || before < module->start)
		return false;
	/* the page that runs can be read; the one in front of it may be closed, as that of other data */
	if (PAGE_DOWN(before) == PAGE_DOWN(code) ? bytes_compare((const char *)before, SIGNED, 4)
											 : !signature_stands(code))
		return false;
	__atomic_fetch_add(&session.control->unknown_sites, 1, __ATOMIC_RELAXED);
	region_untrace(page, page + MADT_PAGE);
	return true;
}
