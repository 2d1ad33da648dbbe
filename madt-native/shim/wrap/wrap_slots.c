/*
 * In a process that runs already nothing is interposed. Its modules call functions that copy and
 * fill memory by slots of their procedure linkage tables (System V ABI, AMD64 supplement, 5.2),
 * which lead to the wrappers as long as MadT is there. Whoever takes a function's address has it
 * from elsewhere (R_X86_64_GLOB_DAT), and could keep it when the wrapper is gone: such slots stay
 * what they are, and so do those of modules that are loaded later.
 */
#include "wrap/wrap.h"

#include "module/module.h"
#include "module/symbols.h"
#include "text/text.h"

#include <elf.h>

#define SLOTS_MAX 8192

#define SLOT_OWN(type, name, parameters) \
	extern const char own_##name[] __attribute__((visibility("hidden")));
WRAP_MEMORY(SLOT_OWN)

static const struct slot_function {
	const char *name;
	uintptr_t *real;
	const char *wrapper;
} functions[] = {
#define SLOT_FUNCTION(type, name, parameters) { #name, (uintptr_t *)&real.name, own_##name },
	WRAP_MEMORY(SLOT_FUNCTION)
};

static struct slot {
	uintptr_t at, was, wrapper;
} slots[SLOTS_MAX];
static uint32_t slot_count;

static const struct slot_function *function_named(const char *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (bytes_compare(functions[i].name, name, text_length(functions[i].name) + 1) == 0)
			return &functions[i];
	return NULL;
}

/* The definition that a slot which is not bound yet would lead to, or 0. */
static uintptr_t definition(const char *name)
{
	const struct module *module;
	struct symbols symbols;
	uintptr_t code = 0;

	for (uint32_t i = 0; !code && (module = module_number(i)); i++) {
		if (module->flags & MODULE_SHIM || !module->link
				|| !symbols_open(&symbols, (const struct link_map *)module->link))
			continue;
		symbols.chooses = true;
		code = symbols_find(&symbols, name);
	}
	return code;
}

/*
 * Returns whether the wrapper calls what the slot leads to. A function of the program's own comes in
 * front of a library that is preloaded, too.
 */
static bool leads_on(const struct slot_function *function, const struct module *module,
		uintptr_t code)
{
	const struct module *callee = module_of(code);
	const bool bound = callee != module;

	if (bound && !*function->real)
		*function->real = code;
	if (!*function->real)
		*function->real = definition(function->name);
	return *function->real && module_of(*function->real) != module_number(0)
			&& module_of(*function->real) != module && (!bound || *function->real == code);
}

static bool slot_write(long memory, uintptr_t at, uintptr_t code)
{
	return SYS4(__NR_pwrite64, memory, &code, sizeof code, at) == sizeof code;
}

static void slot_take(long memory, const struct module *module, const struct symbols *symbols,
		const ElfW(Rela) * relocation)
{
	const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols->symbol + ELF64_R_SYM(relocation->r_info);
	const struct slot_function *function;
	struct slot *slot = &slots[slot_count];

	if (ELF64_R_TYPE(relocation->r_info) != R_X86_64_JUMP_SLOT || symbol->st_shndx != SHN_UNDEF
			|| slot_count == SLOTS_MAX)
		return;
	function = function_named((const char *)symbols->text + symbol->st_name);
	if (!function)
		return;
	slot->at = module->bias + relocation->r_offset;
	slot->was = *(const uintptr_t *)slot->at;
	slot->wrapper = (uintptr_t)function->wrapper;
	if (leads_on(function, module, slot->was) && slot_write(memory, slot->at, slot->wrapper))
		slot_count++;
}

static void slots_of(long memory, const struct module *module)
{
	struct symbols symbols;
	const ElfW(Rela) * relocation;

	if (!symbols_open(&symbols, (const struct link_map *)module->link))
		return;
	relocation = (const ElfW(Rela) *)symbols.calls.at;
	for (size_t i = 0; i < symbols.calls.size / sizeof *relocation; i++)
		slot_take(memory, module, &symbols, &relocation[i]);
}

void slots_take(void)
{
	const long memory = memory_open();
	const struct module *module;

	if (sys_failed(memory))
		return;
	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (module->link && !(module->flags & (MODULE_SHIM | MODULE_LOADER)))
			slots_of(memory, module);
	SYS1(__NR_close, memory);
}

void slots_give_back(void)
{
	const long memory = slot_count ? memory_open() : -1;
	uintptr_t code;

	if (sys_failed(memory))
		return;
	for (; slot_count; slot_count--) {
		const struct slot *slot = &slots[slot_count - 1];

		if (SYS4(__NR_pread64, memory, &code, sizeof code, slot->at) == sizeof code
				&& code == slot->wrapper) /* else its module has gone */
			slot_write(memory, slot->at, slot->was);
	}
	SYS1(__NR_close, memory);
}
