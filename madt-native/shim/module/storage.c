#include "module/storage.h"

#include "module/module_loader.h"
#include "module/module_table.h"

#include "base/state.h"
#include "region/region.h"
#include "session/session.h"

#include <link.h>

#define TABLE_AT 8     /* tcbhead_t.dtv of glibc */
#define ENTRY_BYTES 16 /* dtv_t */
#define NONE_YET (-1L) /* TLS_DTV_UNALLOCATED */
#define IDS_MAX 65536  /* a larger number is none */

bool storage_told;
struct range storage_loader;

static struct storage_layout layout;
/* From 1 on; a thread that has seen the last one has told everything. */
static uint32_t changes = 1;

void storage_begin(const struct storage_layout *told)
{
	layout = *told;
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].flags & MODULE_LOADER)
			storage_loader = (struct range){ modules[i].start, modules[i].end };
	storage_told = true;
}

/* The next record finds no room, and takes a chunk. */
void storage_allocated(void)
{
	self.module.storage_seen = 0;
	record_flush();
}

void storage_list_changed(void)
{
	if (!storage_told)
		return;
	__atomic_fetch_add(&changes, 1, __ATOMIC_ACQ_REL);
	storage_allocated();
}

static void thread_tell(uintptr_t base)
{
	if (self.module.storage_base == base)
		return;
	self.module.storage_base = base;
	ring_put(&(struct madt_event){ .type = MADT_EVENT_TLS_THREAD,
			.address = base,
			.size = layout.block,
			.old = layout.below });
}

/* Of a module that is not static the address of the thread's block, or 0. */
static uintptr_t block_find(uintptr_t table, size_t id)
{
	size_t length;
	long block;

	if (region_read(&length, table - ENTRY_BYTES, sizeof length) < sizeof length || id > length
			|| region_read(&block, table + id * ENTRY_BYTES, sizeof block) < sizeof block)
		return 0;
	return block == NONE_YET ? 0 : (uintptr_t)block;
}

static void module_tell(struct module *module, uintptr_t table)
{
	size_t id;
	long offset;

	if (!module->end || !module->asked || module->flags & MODULE_SHIM
			|| region_read(&id, module->link + layout.id, sizeof id) < sizeof id || !id
			|| id > IDS_MAX
			|| region_read(&offset, module->link + layout.offset, sizeof offset) < sizeof offset)
		return;
	if (!module->storage_told || module->storage_offset != offset) {
		module->storage_told = true;
		module->storage_offset = offset;
		ring_put(&(struct madt_event){ .type = MADT_EVENT_TLS_MODULE,
				.address = module->start,
				.size = id,
				.old = (uint64_t)offset });
	}
	if (offset <= 0) {
		uintptr_t block = block_find(table, id);

		if (block)
			ring_put(&(struct madt_event){ .type = MADT_EVENT_TLS_BLOCK,
					.address = block,
					.size = id,
					.old = module->start });
	}
}

/* The loader's records of modules may only be looked at while it does not change its list. */
void storage_tell(void)
{
	uint32_t now = LOAD_ACQUIRE(&changes);
	uintptr_t base, table = 0;

	if (!storage_told || self.module.storage_seen == now || self.unseen || self.vfork_child)
		return;
	base = thread_block();
	thread_tell(base);
	region_read(&table, base + TABLE_AT, sizeof table);
	module_hold();
	if (loader_list->r_state == RT_CONSISTENT) {
		self.module.storage_seen = now;
		for (uint32_t i = 0; layout.id && layout.offset && i < module_count; i++)
			module_tell(&modules[i], table);
	}
	module_let_go();
}

void storage_end(void)
{
	if (storage_told && self.module.storage_base && !self.vfork_child)
		ring_put(&(struct madt_event){
				.type = MADT_EVENT_TLS_THREAD, .address = self.module.storage_base });
}

void storage_after_fork(void)
{
	self.module.storage_seen = 0;
	self.module.storage_base = 0;
	for (uint32_t i = 0; i < module_count; i++)
		modules[i].storage_told = false;
}
