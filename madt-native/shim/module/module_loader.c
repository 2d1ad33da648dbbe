/* The loader's list of modules: who looks at it keeps others from changing what is known of it. */
#include "module/module.h"
#include "module/module_loader.h"

#include "base/spin.h"
#include "base/state.h"
#include "module/symbols.h"

#include <time.h>

/* Milliseconds, for a thread that is about to load or unload something: it may be this one. */
#define LOOKS 100

static struct spin held; /* the list of modules: the loader's threads wait at the breakpoint */

/* The loader's list begins with the program. */
bool program_imports(const char *function)
{
	struct symbols symbols;

	return symbols_open(&symbols, loader_list->r_map) && symbols_import(&symbols, function);
}

void module_hold(void)
{
	critical_enter();
	spin_lock(&held);
}

void module_let_go(void)
{
	spin_unlock(&held);
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
	spin_after_fork(&held);
}
