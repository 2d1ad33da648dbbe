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

bool symbols_open(struct symbols *symbols, const struct link_map *link)
{
	ElfW(Dyn) entry;

	*symbols = (struct symbols){ .bias = link->l_addr };
	for (uintptr_t at = (uintptr_t)link->l_ld;
			at && fetch(&entry, at, sizeof entry) && entry.d_tag != DT_NULL; at += sizeof entry) {
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

static bool is_defined(const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_OBJECT)
			&& ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
}

/* The address of symbol `i` if it is a definition of this name, or 0. */
static uintptr_t symbol_code(const struct symbols *symbols, uint32_t i, const char *name)
{
	char text[NAME_LIMIT];
	size_t size = text_length(name) + 1;
	ElfW(Sym) symbol;

	if (!fetch(&symbol, symbols->symbol + i * sizeof symbol, sizeof symbol) || !is_defined(&symbol))
		return 0;
	if (!fetch(text, symbols->text + symbol.st_name, size) || bytes_compare(text, name, size) != 0)
		return 0;
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

/*
 * Symbols without a definition stand in front of those that the hash table knows, and the other
 * kind of table knows how many there are in all.
 */
bool symbols_import(const struct symbols *symbols, const char *name)
{
	uint32_t head[2];
	const size_t size = text_length(name) + 1;
	char text[NAME_LIMIT];
	ElfW(Sym) symbol;

	if (!fetch(head, symbols->gnu_hash ? symbols->gnu_hash : symbols->hash, sizeof head))
		return false;
	for (uint32_t i = 1; i < head[1] && i < CHAIN_LIMIT; i++)
		if (fetch(&symbol, symbols->symbol + i * sizeof symbol, sizeof symbol)
				&& symbol.st_shndx == SHN_UNDEF && fetch(text, symbols->text + symbol.st_name, size)
				&& bytes_compare(text, name, size) == 0)
			return true;
	return false;
}

uintptr_t function_of(const struct link_map *link, const char *name)
{
	struct symbols symbols;

	if (!symbols_open(&symbols, link))
		return 0;
	return symbols_find(&symbols, name);
}
