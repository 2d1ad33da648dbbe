/* Which module an address lies in, and what the code map says of it. */
#include "module/module_table.h"

#include "base/state.h"

struct module *modules;
uint32_t module_count;

const struct module *module_number(uint32_t i)
{
	return i < LOAD_ACQUIRE(&module_count) ? &modules[i] : NULL;
}

void module_visit(void (*visit)(struct module *module))
{
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].end)
			visit(&modules[i]);
}

/* Returns false of one that has gone: it has no end. */
static bool covers(const struct module *module, uintptr_t code)
{
	return code >= module->start && code < module->end;
}

const struct module *module_of(uintptr_t code)
{
	uint32_t count = LOAD_ACQUIRE(&module_count), last = self.module.last;

	if (last < count && covers(&modules[last], code))
		return &modules[last];
	for (uint32_t i = 0; i < count; i++)
		if (covers(&modules[i], code)) {
			self.module.last = i;
			return &modules[i];
		}
	return NULL;
}

uint32_t module_index(uintptr_t code)
{
	return module_of(code) ? self.module.last : MODULES_MAX;
}

const struct madt_code_entry *module_entry(const struct module *module, uintptr_t code)
{
	uint32_t low = 0, high = module->map ? module->map->entries : 0;
	uintptr_t offset = code - module->bias;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (module->entry[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!module->map || low == module->map->entries || module->entry[low].offset != offset)
		return NULL;
	return &module->entry[low];
}

bool module_covers(uintptr_t address)
{
	const struct module *module = module_of(address);

	return module && !(module->flags & (MODULE_LOADER | MODULE_SHIM))
			&& !text_begins(module->path, "linux-vdso");
}

uintptr_t module_edge(uintptr_t address)
{
	uintptr_t edge = UINTPTR_MAX;

	for (uint32_t i = 0; i < module_count; i++) {
		if (modules[i].start > address && modules[i].start < edge)
			edge = modules[i].start;
		if (modules[i].end > address && modules[i].end < edge)
			edge = modules[i].end;
	}
	return edge;
}
