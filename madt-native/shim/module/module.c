/*
 * The loaded modules, from the loader's own list (struct r_debug, System V ABI debugging
 * interface). The loader calls r_brk, an empty function, whenever the list changes: an int3 there
 * shows every dlopen, also libc's own, before relocation and constructors.
 */
#include "module/module.h"
#include "module/module_loader.h"
#include "module/module_table.h"
#include "module/operators.h"

#include "base/spin.h"
#include "base/state.h"
#include "region/region.h"
#include "session/session.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>

struct r_debug *loader_list;
uint32_t modules_gone;
static const ElfW(Phdr) * program_headers;
static size_t program_header_count;
static const char own_address;

static void module_span(struct module *module, const ElfW(Phdr) * header, size_t count)
{
	module->start = UINTPTR_MAX;
	module->end = 0;
	for (size_t i = 0; i < count; i++) {
		if (header[i].p_type == PT_GNU_EH_FRAME)
			module->unwind = module->bias + header[i].p_vaddr;
		if (header[i].p_type != PT_LOAD)
			continue;
		if (header[i].p_vaddr < module->start)
			module->start = header[i].p_vaddr;
		if (header[i].p_vaddr + header[i].p_memsz > module->end)
			module->end = header[i].p_vaddr + header[i].p_memsz;
		module_text_note(module, &header[i]);
	}
	if (!module->end)
		module->start = 0;
	module->start = PAGE_DOWN(module->start + module->bias);
	module->end = PAGE_UP(module->end + module->bias);
}

/* A library's ELF header is its first mapped byte. */
static bool library_span(struct module *module)
{
	static struct {
		ElfW(Ehdr) head;
		char rest[MADT_PAGE - sizeof(ElfW(Ehdr))];
	} image;

	if (region_read(&image, module->bias, sizeof image) < sizeof image.head + sizeof(ElfW(Phdr))
			|| bytes_compare(image.head.e_ident, ELFMAG, SELFMAG) != 0
			|| image.head.e_phoff + image.head.e_phnum * sizeof(ElfW(Phdr)) > sizeof image)
		return false;
	module_span(module, (const ElfW(Phdr) *)((char *)&image + image.head.e_phoff),
			image.head.e_phnum);
	return true;
}

static void module_event(const struct module *module, bool load)
{
	struct madt_event event = {
		.type = load ? MADT_EVENT_MODULE_LOAD : MADT_EVENT_MODULE_UNLOAD,
		.name = load ? session_name(module->path) : 0,
		.address = module->start,
		.size = module->end - module->start,
		.old = module->bias,
		.old_size = module->first_template,
	};

	ring_put(&event);
}

void module_tell_again(struct module *module)
{
	__atomic_fetch_add(&session.control->unmapped_modules, 1, __ATOMIC_RELAXED);
	module_event(module, false);
	module->first_template = 0;
	module_event(module, true);
}

static struct spin asking;

/*
 * Asks for the code map or plan. The loader has none and gets no template numbers; of MadT itself
 * nothing is told.
 */
static void module_ask(struct module *module)
{
	struct madt_request *request = &session.control->request;

	if (module->flags & MODULE_SHIM)
		return;
	if (module->flags & MODULE_LOADER) {
		module_event(module, true);
		return;
	}
	spin_lock(&asking);
	if (!module->plan)
		module->plans = LOAD_ACQUIRE(&session.page->plans);
	if (!engine.prepare(module, request))
		__atomic_fetch_add(&session.control->unmapped_modules, 1, __ATOMIC_RELAXED);
	if (LOAD_ACQUIRE(&request->state) == MADT_REQUEST_ANSWERED && request->points)
		engine.watch(module, request);
	if (LOAD_ACQUIRE(&request->state) == MADT_REQUEST_ANSWERED && request->untraced)
		region_untrace(module->start, module->end);
	STORE_RELEASE(&request->state, MADT_REQUEST_IDLE);
	spin_unlock(&asking);
	module_event(module, true);
}

static struct module *module_slot(void)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (!modules[i].end)
			return &modules[i];
	return module_count < MODULES_MAX ? &modules[module_count] : NULL;
}

/* Returns whether a map of memory shows that name so: with \012 for each new line. */
static bool is_shown_as(const char *shown, const char *name)
{
	static const char new_line[] = "\\012";

	for (; *shown && *name; name++)
		if (*name == '\n' && text_begins(shown, new_line))
			shown += sizeof new_line - 1;
		else if (*shown++ != *name)
			return false;
	return !*shown && !*name;
}

/*
 * The loader has no name for the program. It need not be the one that the kernel has begun: that may
 * be the loader itself, with the program among its arguments (ld.so(8)).
 */
static void module_name(struct module *module, const struct link_map *link, bool program)
{
	static char begun[sizeof module->path];
	size_t size = sizeof module->path;
	long n;

	if (!program) {
		region_read_text(module->path, (uintptr_t)link->l_name, size);
		return;
	}
	n = SYS3(__NR_readlink, "/proc/thread-self/exe", begun, size - 1);
	begun[n > 0 ? n : 0] = 0;
	region_file((uintptr_t)program_headers, module->path, size);
	if (!module->path[0] || is_shown_as(module->path, begun))
		bytes_copy(module->path, begun, size);
}

static void module_add(const struct link_map *link, uintptr_t at, bool program)
{
	struct module *module = module_slot();

	if (!module)
		return;
	bytes_set(module, 0, sizeof *module);
	module->bias = link->l_addr;
	module->link = at;
	module_name(module, link, program);
	if (program)
		module_span(module, program_headers, program_header_count);
	else if (!library_span(module))
		module->end = 0;
	if (!module->end)
		return;
	if (module->start == loader_list->r_ldbase)
		module->flags = MODULE_LOADER;
	else if ((uintptr_t)&own_address - module->start < module->end - module->start)
		module->flags = MODULE_SHIM;
	if (module->flags & MODULE_SHIM)
		own_add(module->start, module->end - module->start);
	module->present = true;
	if (attached)
		operators_add(link, at);
	if (module == &modules[module_count])
		STORE_RELEASE(&module_count, module_count + 1);
}

void module_shim_is(uintptr_t start, uintptr_t end)
{
	struct module *module = module_slot();

	if (!module)
		return;
	bytes_set(module, 0, sizeof *module);
	module->start = module->bias = start;
	module->end = end;
	module->flags = MODULE_SHIM;
	STORE_RELEASE(&module_count, module_count + 1);
}

static struct module *module_known(const struct link_map *link)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].end && modules[i].bias == link->l_addr)
			return &modules[i];
	return NULL;
}

/* Another thread may fork at any time: what is unmapped is the module's no more. */
static void map_drop(struct module *module)
{
	const struct madt_codemap *map = module->map;

	STORE_RELEASE(&module->map, NULL);
	if (map)
		sys_unmap((uintptr_t)map, map->file_size);
}

static void module_drop(struct module *module)
{
	module_event(module, false);
	operators_drop(module->link, (uint32_t)(module - modules));
	engine.drop(module);
	map_drop(module);
	module->end = 0;
	__atomic_fetch_add(&modules_gone, 1, __ATOMIC_RELEASE);
}

/* Goes through the loader's list, which may lie in closed memory. */
void module_list(void)
{
	struct link_map link;
	bool program = true;

	for (uint32_t i = 0; i < module_count; i++)
		modules[i].present = modules[i].flags & MODULE_SHIM && !modules[i].link;
	for (uintptr_t at = (uintptr_t)loader_list->r_map; at;
			at = (uintptr_t)link.l_next, program = false) {
		struct module *known;

		if (region_read(&link, at, sizeof link) < sizeof link)
			break;
		known = module_known(&link);
		if (known)
			known->present = true;
		else
			module_add(&link, at, program);
	}
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].end && !modules[i].present)
			module_drop(&modules[i]);
}

void module_ask_new(void)
{
	uint64_t begun = tsc_now();
	bool asked = false;

	self.session.pausing = true;
	for (uint32_t i = 0; i < module_count; i++) {
		if (!modules[i].end || modules[i].asked)
			continue;
		modules[i].asked = asked = true;
		module_ask(&modules[i]);
	}
	self.session.pausing = false;
	if (asked && recording)
		ring_pause(begun);
}

static void module_keep(struct module *module)
{
	if (!module->end || module->flags & MODULE_SHIM)
		return;
	if (!engine.keep(module) && !(module->flags & MODULE_LOADER))
		__atomic_fetch_add(&session.control->unmapped_modules, 1, __ATOMIC_RELAXED);
	module_event(module, true);
}

/*
 * Asks again, after a fork: where the launcher does not keep them, a child has template numbers of
 * its own.
 */
void module_ask_again(void)
{
	spin_after_fork(&asking);
	if (module_numbers_kept(&modules[0])) {
		for (uint32_t i = 0; i < module_count; i++)
			module_keep(&modules[i]);
		return;
	}
	for (uint32_t i = 0; i < module_count; i++) {
		map_drop(&modules[i]);
		modules[i].asked = false;
	}
	module_ask_new();
}

bool module_set_up(struct r_debug *list, const ElfW(Phdr) * headers, size_t count)
{
	modules = sys_pages(MODULES_MAX * sizeof *modules);
	loader_list = list;
	program_headers = headers;
	program_header_count = count;
	if (!modules || !loader_list || !program_headers)
		return false;
	module_list();
	return true;
}
