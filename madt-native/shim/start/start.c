/*
 * Set-up in the constructor, which runs before those of all other objects (-z initfirst); then
 * start and stop of recording. Order: the session, the real functions, the module list and the
 * regions; then handlers and dispatch; from then on every system call of the process passes the
 * gate.
 */
#include "chain/chain.h"
#include "start/start.h"

#include "fault/fault.h"
#include "gate/gate.h"
#include "module/module.h"
#include "region/region.h"
#include "splice/splice.h"
#include "text/text.h"
#include "trap/trap.h"
#include "wrap/wrap.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define SESSION "MADT_SESSION="
#define SIGNALS "MADT_SIGNALS="
#define PASSED "MADT_PASSED="
#define PRELOAD "LD_PRELOAD="
#define LIBRARY_START "__libc_start_main" /* of the C library: calls main */

static char *variable_find(char **environment, const char *name)
{
	for (; *environment; environment++)
		if (text_begins(*environment, name))
			return *environment + text_length(name);
	return NULL;
}

static void variable_remove(char **environment, const char *name)
{
	char **to = environment;

	for (; *environment; environment++)
		if (!text_begins(*environment, name))
			*to++ = *environment;
	*to = NULL;
}

/* Takes MadT's library out of LD_PRELOAD, and the variable itself if nothing else was in it. */
static void preload_restore(char **environment)
{
	char *value = variable_find(environment, PRELOAD);
	size_t folder = text_length(session.folder);

	if (!value || !text_begins(value, session.folder)
			|| !text_begins(value + folder, "/libmadt.so"))
		return;
	if (value[folder + 11] != ':') {
		variable_remove(environment, PRELOAD);
		return;
	}
	text_copy(value, value + folder + 12, text_length(value));
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
		void (*init)(void), void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	if (attached && session.page->start == MADT_START_MAIN) {
		real_main = main;
		main = madt_main;
	}
	return real_libc_start_main(main, argc, argv, init, fini, loader_fini, stack_end);
}

static void marker_open(uintptr_t caller)
{
	const bool opens = !recording;

	window_open(MADT_START_MARKER, caller);
	if (opens)
		open_tell_here();
}

/* The markers count in a session started for them; elsewhere they do nothing. */
static void marker_start(uintptr_t caller)
{
	if (attached && session.page->start == MADT_START_MARKER && window_opens_again())
		marker_open(caller);
}

static void marker_stop(uintptr_t caller)
{
	if (attached
			&& (session.page->start == MADT_START_MARKER
					|| session.page->windows.stop == MADT_START_MARKER))
		window_close(MADT_START_MARKER, caller);
}

EXPORT void MadT_start(void)
{
	marker_start(CALLER);
}

EXPORT void MadT_stop(void)
{
	marker_stop(CALLER);
}

EXPORT void MadT__start(void)
{
	marker_start(CALLER);
}

EXPORT void MadT__stop(void)
{
	marker_stop(CALLER);
}

void heap_set_up(void)
{
	long now = SYS1(__NR_brk, 0);
	struct region region;
	uintptr_t start = (uintptr_t)now;
	struct madt_event event = { .type = MADT_EVENT_HEAP };

	if (region_find(start - 1, &region) && (region.flags & REGION_HEAP))
		start = region.start;
	gate_heap_set(start, (uintptr_t)now);
	event.address = start;
	event.size = (uintptr_t)now - start;
	ring_put(&event);
}

static void variables_take_out(char **environment)
{
	variable_remove(environment, SESSION);
	variable_remove(environment, SIGNALS);
	variable_remove(environment, PASSED);
	preload_restore(environment);
}

/* Returns whether this process takes part: it has a place in the session then. */
static bool join(char **environment)
{
	bool passed = variable_find(environment, PASSED),
		 open = session_open(variable_find(environment, SESSION)), joined;

	if (!open)
		return false;
	engine = session.page->engine == MADT_ENGINE_SPLICE ? splice_engine : trap_engine;
	joined = program_chosen();
	if (!joined)
		program_pass();
	else
		joined = counts_ready = session_new_process(0);
	if (passed)
		__atomic_fetch_sub(&session.page->executing, 1, __ATOMIC_ACQ_REL);
	return joined;
}

static bool set_up(void)
{
	direct_set_up();
	call_out_set_up();
	thread_begin(NULL);
	operand_set_up();
	if (!module_set_up(dlsym(RTLD_DEFAULT, "_r_debug"), (const ElfW(Phdr) *)getauxval(AT_PHDR),
				getauxval(AT_PHNUM))) {
		say("cannot read the loader's list of modules; the program runs untraced", "");
		return false;
	}
	region_scan();
	heap_set_up();
	if (!lead_set_up() || !library_set_up()) {
		say("no memory for engine splice; the program runs untraced", "");
		return false;
	}
	chain_set_up();
	storage_set_up();
	module_ask_new();
	return true;
}

static void attach(char **environment)
{
	char *signals = variable_find(environment, SIGNALS);

	if (!variable_find(environment, SESSION)) {
		say("libmadt.so was preloaded without its launcher and stays off. Run: madt run -- PROGRAM",
				"");
		return;
	}
	if (!join(environment)) {
		if (signals)
			signal_inherit_bare(signals);
		variables_take_out(environment);
		return;
	}
	if (!set_up())
		return;
	robust_begin();
	attached = true;
	signal_set_up(&fault_entries);
	if (signals)
		signal_inherit(signals);
	variables_take_out(environment);
	loader_watch();
	gate_arm();
	thread_name_tell();
	STORE_RELEASE(&session.control->state, MADT_STATE_READY);
	window_set_up();
	if (session.page->start == MADT_START_MAIN && !program_imports(LIBRARY_START))
		window_open(MADT_START_LOAD, 0); /* nobody calls its main, as in Go's programs */
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
	(void)argc;
	(void)argv;
	real_find();
	attach(environment);
}
