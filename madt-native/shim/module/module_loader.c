/*
 * The loader's breakpoint: it calls r_brk, an empty function, whenever its list of modules changes.
 */
#include "module/module.h"
#include "module/module_loader.h"

#include "base/state.h"
#include "module/symbols.h"
#include "region/region.h"

#include <sys/mman.h>
#include <time.h>

/* Milliseconds, for a thread that is about to load or unload something: it may be this one. */
#define LOOKS 100

static const char *loader_break;  /* r_brk, or NULL */
static unsigned char loader_byte; /* what stood at r_brk */
static uint32_t held; /* the list of modules: the loader's threads wait at the breakpoint */

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

/* The loader's list begins with the program. */
bool program_imports(const char *function)
{
	struct symbols symbols;

	return symbols_open(&symbols, loader_list->r_map) && symbols_import(&symbols, function);
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

void module_hold(void)
{
	critical_enter();
	while (__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE))
		SYS0(__NR_sched_yield);
}

void module_let_go(void)
{
	STORE_RELEASE(&held, 0);
	critical_leave();
}

/*
 * The loader says that it will change the list, and that it has, at the breakpoint: between the
 * two, what the list names may be unmapped.
 */
void module_hold_list(void)
{
	static const struct timespec moment = { 0, 1000000 };

	module_hold();
	for (int looks = 0; looks < LOOKS && loader_list->r_state != RT_CONSISTENT; looks++) {
		module_let_go();
		SYS2(__NR_nanosleep, &moment, NULL);
		module_hold();
	}
}

/* In the child, whoever held it is not there. */
void module_after_fork(void)
{
	held = 0;
}

/* At the hook: r_brk does nothing but return, so the handler does that for it. */
bool module_breakpoint(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	bool consistent;

	if (!loader_break || (const char *)registers[REG_RIP] != loader_break + 1)
		return false;
	if (region_read(&registers[REG_RIP], (uintptr_t)registers[REG_RSP], 8) < 8)
		return false;
	registers[REG_RSP] += 8;
	module_hold();
	consistent = loader_list->r_state == RT_CONSISTENT;
	if (consistent)
		module_list();
	module_let_go();
	if (consistent)
		module_ask_new();
	return true;
}
