/*
 * The loader's breakpoint: it calls r_brk, an empty function, whenever its list of modules changes.
 */
#include "module/module.h"
#include "module/module_loader.h"

#include "region/region.h"
#include <sys/mman.h>

static const char *loader_break;  /* r_brk, or NULL */
static unsigned char loader_byte; /* what stood at r_brk */

static void loader_patch(unsigned char byte)
{
	uintptr_t page = PAGE_DOWN(loader_list->r_brk);

	if (sys_failed(SYS3(__NR_mprotect, page, 2 * MADT_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
			&& sys_failed(SYS3(__NR_mprotect, page, MADT_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC)))
		return;
	loader_break = (const char *)loader_list->r_brk;
	*(volatile unsigned char *)loader_list->r_brk = byte;
	if (sys_failed(SYS3(__NR_mprotect, page, 2 * MADT_PAGE, PROT_READ | PROT_EXEC)))
		SYS3(__NR_mprotect, page, MADT_PAGE, PROT_READ | PROT_EXEC);
}

/* Plants the int3 at r_brk, whose first instruction is endbr64 or ret. */
void module_hook_loader(void)
{
	loader_byte = *(const unsigned char *)loader_list->r_brk;
	loader_patch(0xcc);
}

void module_release_loader(void)
{
	loader_patch(loader_byte);
	loader_break = NULL;
}

/* At the hook: r_brk does nothing but return, so the handler does that for it. */
bool module_breakpoint(ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (!loader_break || (const char *)registers[REG_RIP] != loader_break + 1)
		return false;
	if (region_read(&registers[REG_RIP], (uintptr_t)registers[REG_RSP], 8) < 8)
		return false;
	registers[REG_RSP] += 8;
	if (loader_list->r_state == RT_CONSISTENT) {
		module_list();
		module_ask_new();
	}
	return true;
}
