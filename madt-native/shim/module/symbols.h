/* Symbol tables of loaded modules, read where they lie. No function takes the loader's lock. */
#ifndef MADT_SYMBOLS_H
#define MADT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link_map;

/* Entries of the form Elf64_Rela. */
struct relocations {
	uintptr_t at;
	size_t size; /* in bytes */
};

struct symbols {
	uintptr_t bias, gnu_hash, hash, symbol, text;
	struct relocations data, calls;
	size_t relative; /* so many of `data`, the first ones, name no symbol */
	bool chooses;    /* functions that choose their code are run, and their choice is found */
};

bool symbols_open(struct symbols *symbols, const struct link_map *link);
/* The address of a function or variable that the module defines, or 0. */
uintptr_t symbols_find(const struct symbols *symbols, const char *name);
/* Returns whether the module uses it, and does not define it. */
bool symbols_import(const struct symbols *symbols, const char *name);
uintptr_t function_of(const struct link_map *link, const char *name);

#endif
