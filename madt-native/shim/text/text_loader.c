/*
 * The loader's breakpoint: it calls r_brk, an empty function, whenever its list of modules changes.
 */
#include "text/text.h"
#include "text/text_layers.h"

#include "module/module_loader.h"
#include "module/storage.h"
#include "region/region.h"

static uintptr_t watched;    /* r_brk, or 0 */
static uint8_t saved, armed; /* what stood there, and whether the int3 does */

/* r_brk's first instruction is endbr64 or ret. */
void loader_watch(void)
{
	uintptr_t at = loader_list->r_brk;

	watched = at;
	if (!trap_lay(at, &saved, &armed))
		watched = 0;
}

void loader_release(void)
{
	trap_lift(watched, &saved, &armed);
	watched = 0;
}

/* At the hook: r_brk does nothing but return, so the handler does that for it. */
bool loader_breakpoint(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	bool consistent;

	if (!watched || (uintptr_t)registers[REG_RIP] != watched + 1)
		return false;
	if (region_read(&registers[REG_RIP], (uintptr_t)registers[REG_RSP], 8) < 8)
		return false;
	registers[REG_RSP] += 8;
	module_hold();
	consistent = loader_list->r_state == RT_CONSISTENT;
	if (consistent)
		module_list();
	module_let_go();
	if (consistent) {
		module_ask_new();
		storage_list_changed();
	}
	return true;
}
