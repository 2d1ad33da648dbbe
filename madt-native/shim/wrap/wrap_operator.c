/*
 * The definitions of C++'s operator new and delete behind the shim's own. They are looked up in the dynamic symbol tables of the loaded
 * modules (System V ABI, chapter 5; DT_GNU_HASH as binutils writes it) when the loader's list changes, and never in a call: dlsym
 * takes the loader's lock and microseconds, and its accesses would stand in the trace.
 *
 * The order is the loader's. What was loaded with the program comes first, for every caller, and stays; then come the libraries that
 * dlopen loaded. Where several of these define an operator, the scope of the calling module decides (wrap_scope.c), at its first call.
 */
#include "wrap/wrap.h"

#include <dlfcn.h>
#include <elf.h>

#define DEFINERS_MAX 64
#define CHAIN_LIMIT 100000 /* symbols in one bucket: the table is damaged */
#define NAME_LIMIT 48

#define OPERATOR_NAME(name, ...) #name,
static const char *const names[] = {WRAP_OPERATORS(OPERATOR_NAME)};

static uintptr_t begun[OPERATORS]; /* definitions that the program began with */
static uintptr_t next[OPERATORS];  /* what is called, or SEVERAL */
#define SEVERAL 1

/* Libraries loaded later, oldest first. */
static struct definer {
	uintptr_t link;
	uintptr_t code[OPERATORS];
} later[DEFINERS_MAX];
static uint32_t definers, lock;

/* Where several may be meant: what the module with this number calls, from its first call on; 0: not known yet. */
static uintptr_t bound[MODULES_MAX][OPERATORS];

/* ---------------------------------------------------------------- symbol tables */

struct symbols {
	uintptr_t bias, gnu_hash, hash, symbol, text;
};

/* Before MadT is attached no page is closed. */
static bool fetch(void *to, uintptr_t from, size_t n)
{
	if (attached)
		return region_read(to, from, n) == n;
	bytes_copy(to, (const void *)from, n);
	return true;
}

/* The loader has added the load address to the pointers, but not in the vDSO's table. */
static uintptr_t table_address(const struct symbols *symbols, uintptr_t value)
{
	return value < symbols->bias ? value + symbols->bias : value;
}

static bool symbols_open(struct symbols *symbols, const struct link_map *link)
{
	ElfW(Dyn) entry;

	*symbols = (struct symbols){.bias = link->l_addr};
	for (uintptr_t at = (uintptr_t)link->l_ld; at && fetch(&entry, at, sizeof entry) && entry.d_tag != DT_NULL; at += sizeof entry) {
		uintptr_t address = table_address(symbols, entry.d_un.d_ptr);

		if (entry.d_tag == DT_GNU_HASH)
			symbols->gnu_hash = address;
		else if (entry.d_tag == DT_HASH)
			symbols->hash = address;
		else if (entry.d_tag == DT_SYMTAB)
			symbols->symbol = address;
		else if (entry.d_tag == DT_STRTAB)
			symbols->text = address;
	}
	return symbols->symbol && symbols->text && (symbols->gnu_hash || symbols->hash);
}

/* The address of symbol `i` if it is a definition of this function, or 0. */
static uintptr_t symbol_code(const struct symbols *symbols, uint32_t i, const char *name)
{
	char text[NAME_LIMIT];
	size_t size = text_length(name) + 1;
	ElfW(Sym) symbol;

	if (!fetch(&symbol, symbols->symbol + i * sizeof symbol, sizeof symbol) || symbol.st_shndx == SHN_UNDEF ||
		ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
		return 0;
	if (!fetch(text, symbols->text + symbol.st_name, size) || bytes_compare(text, name, size) != 0)
		return 0;
	return symbols->bias + symbol.st_value;
}

/* head: buckets, first symbol, Bloom words, Bloom shift; then the Bloom filter, the buckets, and a hash for each symbol. */
static uintptr_t find_gnu(const struct symbols *symbols, const char *name)
{
	uint32_t head[4], hash = 5381, i, other;
	uint64_t bloom;
	uintptr_t buckets, chain;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	if (!fetch(head, symbols->gnu_hash, sizeof head) || !head[0] || !head[2] ||
		!fetch(&bloom, symbols->gnu_hash + sizeof head + hash / 64 % head[2] * sizeof bloom, sizeof bloom) ||
		!(bloom >> hash % 64 & bloom >> (hash >> head[3]) % 64 & 1))
		return 0;
	buckets = symbols->gnu_hash + sizeof head + head[2] * sizeof bloom;
	chain = buckets + head[0] * sizeof i;
	if (!fetch(&i, buckets + hash % head[0] * sizeof i, sizeof i) || i < head[1])
		return 0;
	for (uint32_t end = i + CHAIN_LIMIT; i < end && fetch(&other, chain + (i - head[1]) * sizeof i, sizeof i); i++) {
		uintptr_t code = (other ^ hash) < 2 ? symbol_code(symbols, i, name) : 0;

		if (code || other & 1)
			return code;
	}
	return 0;
}

/* head: buckets, symbols; then the buckets, and for each symbol the next one of its bucket. */
static uintptr_t find_sysv(const struct symbols *symbols, const char *name)
{
	uint32_t head[2], hash = 0, i;
	uintptr_t buckets = symbols->hash + sizeof head;

	for (const char *c = name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!fetch(head, symbols->hash, sizeof head) || !head[0] || !fetch(&i, buckets + hash % head[0] * sizeof i, sizeof i))
		return 0;
	for (int n = 0; i && n < CHAIN_LIMIT; n++) {
		uintptr_t code = symbol_code(symbols, i, name);

		if (code || !fetch(&i, buckets + (head[0] + i) * sizeof i, sizeof i))
			return code;
	}
	return 0;
}

uintptr_t function_of(const struct link_map *link, const char *name)
{
	struct symbols symbols;

	if (!symbols_open(&symbols, link))
		return 0;
	return symbols.gnu_hash ? find_gnu(&symbols, name) : find_sysv(&symbols, name);
}

/* Fills in what the module defines and `code` does not hold yet. False if that is nothing. */
static bool operators_read(const struct link_map *link, uintptr_t code[OPERATORS])
{
	struct symbols symbols;
	bool any = false;

	if (!symbols_open(&symbols, link))
		return false;
	for (int i = 0; i < OPERATORS; i++) {
		uintptr_t found = code[i] ? 0
			: symbols.gnu_hash ? find_gnu(&symbols, names[i])
					   : find_sysv(&symbols, names[i]);

		code[i] = found ? found : code[i];
		any |= found != 0;
	}
	return any;
}

/* ---------------------------------------------------------------- what is called */

void operators_begin(const struct link_map *link)
{
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
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		SYS0(__NR_sched_yield);
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
	lock = 0;
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
	STORE_RELEASE(&lock, 0);
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
	STORE_RELEASE(&lock, 0);
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
	STORE_RELEASE(&lock, 0);
}

static uintptr_t operator_of(enum operator_name name, uintptr_t caller)
{
	struct choice choice = {.name = name, .number = module_index(caller)};
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

/* Nobody tells a process that is not attached what dlopen loads. */
static uintptr_t operator_ask(enum operator_name name)
{
	void *found = dlsym(RTLD_NEXT, names[name]);
	void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);

	return (uintptr_t)(library ? dlsym(library, names[name]) : found);
}

uintptr_t operator_next(enum operator_name name, uintptr_t caller)
{
	uintptr_t code = LOAD_ACQUIRE(&next[name]);

	if (!begun[name] && !attached)
		return operator_ask(name);
	if (code != SEVERAL)
		return code;
	/* a tail call of another operator's: libstdc++'s new[] jumps to new */
	return operator_of(name, attached && caller == (uintptr_t)madt_called ? frame_code() : caller);
}
