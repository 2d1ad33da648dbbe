/*
 * Dynamic symbol tables of loaded modules (System V ABI, chapter 5; DT_GNU_HASH as binutils writes
 * it).
 */
#include "module/symbols.h"

#include "base/state.h"
#include "region/region.h"

#include <elf.h>
#include <link.h>

#define CHAIN_LIMIT 100000 /* symbols in one bucket: the table is damaged */
#define NAME_LIMIT 48

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

/* Notes where the module's references to symbols are. */
static void relocations_note(struct symbols *symbols, const ElfW(Dyn) * entry, uintptr_t address)
{
	switch (entry->d_tag) {
	case DT_RELA:
		symbols->data.at = address;
		break;
	case DT_RELASZ:
		symbols->data.size = entry->d_un.d_val;
		break;
	case DT_RELACOUNT:
		symbols->relative = entry->d_un.d_val;
		break;
	case DT_JMPREL:
		symbols->calls.at = address;
		break;
	case DT_PLTRELSZ:
		symbols->calls.size = entry->d_un.d_val;
		break;
	default:
		break;
	}
}

bool symbols_open(struct symbols *symbols, const struct link_map *link)
{
	ElfW(Dyn) entry;

	*symbols = (struct symbols){ .bias = link->l_addr };
	for (uintptr_t at = (uintptr_t)link->l_ld;
			at && fetch(&entry, at, sizeof entry) && entry.d_tag != DT_NULL; at += sizeof entry) {
		uintptr_t address = table_address(symbols, entry.d_un.d_ptr);

		switch (entry.d_tag) {
		case DT_GNU_HASH:
			symbols->gnu_hash = address;
			break;
		case DT_HASH:
			symbols->hash = address;
			break;
		case DT_SYMTAB:
			symbols->symbol = address;
			break;
		case DT_STRTAB:
			symbols->text = address;
			break;
		default:
			relocations_note(symbols, &entry, address);
		}
	}
	return symbols->symbol && symbols->text && (symbols->gnu_hash || symbols->hash);
}

static bool is_defined(const struct symbols *symbols, const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF
			&& (type == STT_FUNC || type == STT_OBJECT
					|| (type == STT_GNU_IFUNC && symbols->chooses))
			&& ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
}

/* The address of symbol `i` if it is a definition of this name, or 0. */
static uintptr_t symbol_code(const struct symbols *symbols, uint32_t i, const char *name)
{
	char text[NAME_LIMIT];
	size_t size = text_length(name) + 1;
	ElfW(Sym) symbol;

	if (!fetch(&symbol, symbols->symbol + i * sizeof symbol, sizeof symbol)
			|| !is_defined(symbols, &symbol))
		return 0;
	if (!fetch(text, symbols->text + symbol.st_name, size) || bytes_compare(text, name, size) != 0)
		return 0;
	if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
		return ((uintptr_t(*)(void))(symbols->bias + symbol.st_value))();
	return symbols->bias + symbol.st_value;
}

/*
 * head: buckets, first symbol, Bloom words, Bloom shift; then the Bloom filter, the buckets, and a
 * hash for each symbol.
 */
static uintptr_t find_gnu(const struct symbols *symbols, const char *name)
{
	uint32_t head[4], hash = 5381, i, other;
	uint64_t bloom;
	uintptr_t buckets, chain;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	if (!fetch(head, symbols->gnu_hash, sizeof head) || !head[0] || !head[2]
			|| !fetch(&bloom, symbols->gnu_hash + sizeof head + hash / 64 % head[2] * sizeof bloom,
					sizeof bloom)
			|| !(bloom >> hash % 64 & bloom >> (hash >> head[3]) % 64 & 1))
		return 0;
	buckets = symbols->gnu_hash + sizeof head + head[2] * sizeof bloom;
	chain = buckets + head[0] * sizeof i;
	if (!fetch(&i, buckets + hash % head[0] * sizeof i, sizeof i) || i < head[1])
		return 0;
	for (uint32_t end = i + CHAIN_LIMIT;
			i < end && fetch(&other, chain + (i - head[1]) * sizeof i, sizeof i); i++) {
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
	if (!fetch(head, symbols->hash, sizeof head) || !head[0]
			|| !fetch(&i, buckets + hash % head[0] * sizeof i, sizeof i))
		return 0;
	for (int n = 0; i && n < CHAIN_LIMIT; n++) {
		uintptr_t code = symbol_code(symbols, i, name);

		if (code || !fetch(&i, buckets + (head[0] + i) * sizeof i, sizeof i))
			return code;
	}
	return 0;
}

uintptr_t symbols_find(const struct symbols *symbols, const char *name)
{
	return symbols->gnu_hash ? find_gnu(symbols, name) : find_sysv(symbols, name);
}

static bool is_import(const struct symbols *symbols, uint32_t i, const char *name)
{
	const size_t size = text_length(name) + 1;
	char text[NAME_LIMIT];
	ElfW(Sym) symbol;

	return fetch(&symbol, symbols->symbol + i * sizeof symbol, sizeof symbol)
			&& symbol.st_shndx == SHN_UNDEF && fetch(text, symbols->text + symbol.st_name, size)
			&& bytes_compare(text, name, size) == 0;
}

/* Goes through the relocations behind the first `passed`. */
static bool relocations_name(const struct symbols *symbols, const struct relocations *all,
		size_t passed, const char *name)
{
	ElfW(Rela) some[16];
	const size_t count = all->size / sizeof *some;
	size_t n;

	for (size_t i = passed; i < count; i += n) {
		n = count - i < sizeof some / sizeof *some ? count - i : sizeof some / sizeof *some;
		if (!fetch(some, all->at + i * sizeof *some, n * sizeof *some))
			return false;
		for (size_t k = 0; k < n; k++) {
			uint32_t symbol = (uint32_t)ELF64_R_SYM(some[k].r_info);

			if (symbol && is_import(symbols, symbol, name))
				return true;
		}
	}
	return false;
}

/*
 * Asks the relocations, since what a module uses of others has one. How many symbols there are
 * without a definition is nowhere said: the hash table knows where the others begin, but not if
 * there are none.
 */
bool symbols_import(const struct symbols *symbols, const char *name)
{
	return relocations_name(symbols, &symbols->data, symbols->relative, name)
			|| relocations_name(symbols, &symbols->calls, 0, name);
}

uintptr_t function_of(const struct link_map *link, const char *name)
{
	struct symbols symbols;

	if (!symbols_open(&symbols, link))
		return 0;
	return symbols_find(&symbols, name);
}
