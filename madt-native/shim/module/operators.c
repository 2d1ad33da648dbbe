/*
 * The definitions of C++'s operator new and delete behind the shim's own. They are looked up in the
 * dynamic symbol tables of the loaded modules (System V ABI, chapter 5; DT_GNU_HASH as binutils
 * writes it) when the loader's list changes, and never in a call: dlsym takes the loader's lock and
 * microseconds, and its accesses would stand in the trace.
 *
 * The order is the loader's. What was loaded with the program comes first, for every caller, and
 * stays; then come the libraries that dlopen loaded. Where several of these define an operator, the
 * scope of the calling module decides (scope.c), at its first call.
 */
#include "module/module.h"
#include "module/operators.h"
#include "module/symbols.h"

#include "base/spin.h"
#include "thread/thread.h"

#include <link.h>

#define DEFINERS_MAX 64

#define OPERATOR_NAME(name, ...) #name,
const char *const operator_names[] = { WRAP_OPERATORS(OPERATOR_NAME) };

static uintptr_t begun[OPERATORS]; /* definitions that the program began with */
static uintptr_t next[OPERATORS];  /* what is called, or SEVERAL */
#define SEVERAL 1

/* Libraries loaded later, oldest first. */
static struct definer {
	uintptr_t link;
	uintptr_t code[OPERATORS];
} later[DEFINERS_MAX];
static uint32_t definers;
static struct spin lock;

/*
 * Where several may be meant: what the module with this number calls, from its first call on; 0:
 * not known yet.
 */
static uintptr_t bound[MODULES_MAX][OPERATORS];

static uintptr_t called; /* where wrappers' calls return to */

/* Fills in what the module defines and `code` does not hold yet. False if that is nothing. */
static bool operators_read(const struct link_map *link, uintptr_t code[OPERATORS])
{
	struct symbols symbols;
	bool any = false;

	if (!symbols_open(&symbols, link))
		return false;
	for (int i = 0; i < OPERATORS; i++) {
		uintptr_t found = code[i] ? 0 : symbols_find(&symbols, operator_names[i]);

		code[i] = found ? found : code[i];
		any |= found != 0;
	}
	return any;
}

/* ---------------------------------------------------------------- what is called */

void operators_begin(const struct link_map *link, uintptr_t wrappers_called)
{
	called = wrappers_called;
	scope_set_up(link);
	/* the shim's own definitions are not the next ones; those before it are called without it */
	while (link && link->l_addr != (uintptr_t)__ehdr_start)
		link = link->l_next;
	for (link = link ? link->l_next : NULL; link; link = link->l_next)
		operators_read(link, begun);
	bytes_copy(next, begun, sizeof next);
}

static void definers_lock(void)
{
	spin_lock(&lock);
}

/* Modules that were there before keep what they may have been calling. */
static void bind(int name, uintptr_t code)
{
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (module->end && module->asked && !bound[i][name])
			STORE_RELEASE(&bound[i][name], code);
}

static void operators_choose(void)
{
	for (int i = 0; i < OPERATORS; i++) {
		uintptr_t code = begun[i];

		for (uint32_t k = 0; k < definers && !begun[i]; k++)
			if (later[k].code[i])
				code = code ? SEVERAL : later[k].code[i];
		if (code == SEVERAL && next[i] > SEVERAL)
			bind(i, next[i]);
		STORE_RELEASE(&next[i], code);
	}
}

static void forget(const uintptr_t code[OPERATORS])
{
	for (uint32_t i = 0; module_number(i); i++)
		for (int k = 0; k < OPERATORS; k++)
			if (code[k] && bound[i][k] == code[k])
				STORE_RELEASE(&bound[i][k], 0);
}

void operators_after_fork(void)
{
	spin_after_fork(&lock);
}

/* Both run in the handler at the loader's breakpoint. */
void operators_add(const struct link_map *link, uintptr_t at)
{
	struct definer definer;

	bytes_set(&definer, 0, sizeof definer);
	definer.link = at;
	if (definers == DEFINERS_MAX || !operators_read(link, definer.code))
		return;
	definers_lock();
	later[definers++] = definer;
	operators_choose();
	spin_unlock(&lock);
}

void operators_drop(uintptr_t at, uint32_t number)
{
	definers_lock();
	bytes_set(bound[number], 0, sizeof bound[number]);
	for (uint32_t i = 0; i < definers; i++) {
		if (later[i].link != at)
			continue;
		forget(later[i].code);
		for (definers--; i < definers; i++)
			later[i] = later[i + 1];
		operators_choose();
	}
	spin_unlock(&lock);
}

/* ---------------------------------------------------------------- several definitions */

struct choice {
	enum operator_name name;
	uint32_t number; /* of the calling module */
	uintptr_t code;
};

static uintptr_t definition(uintptr_t link, int name)
{
	for (uint32_t i = 0; i < definers; i++)
		if (later[i].link == link)
			return later[i].code[name];
	return 0;
}

static void choose(void *made)
{
	struct choice *choice = made;
	const struct module *module = module_number(choice->number);

	definers_lock();
	choice->code = module ? scope_search(module->link, definition, (int)choice->name) : 0;
	for (uint32_t i = 0; i < definers && !choice->code; i++)
		choice->code = later[i].code[choice->name];
	spin_unlock(&lock);
}

static uintptr_t operator_of(enum operator_name name, uintptr_t caller)
{
	struct choice choice = { .name = name, .number = module_index(caller) };
	uintptr_t code = choice.number < MODULES_MAX ? LOAD_ACQUIRE(&bound[choice.number][name]) : 0;

	if (code)
		return code;
	if (attached) {
		critical_enter();
		on_own_stack(choose, &choice);
		critical_leave();
	} else {
		choose(&choice); /* the thread may have no state */
	}
	if (choice.number < MODULES_MAX)
		STORE_RELEASE(&bound[choice.number][name], choice.code);
	return choice.code;
}

uintptr_t operator_next(enum operator_name name, uintptr_t caller)
{
	uintptr_t code = LOAD_ACQUIRE(&next[name]);

	if (!begun[name] && !attached)
		return OPERATOR_UNKNOWN;
	if (code != SEVERAL)
		return code;
	/* a tail call of another operator's: libstdc++'s new[] jumps to new */
	return operator_of(name, attached && caller == called ? frame_code() : caller);
}
