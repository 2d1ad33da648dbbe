/*
 * Which file it is, by its bytes: the sum of all that an analysis depends on, whatever the file is
 * called, whatever build-id it carries and whatever its times say. That is its headers, what is
 * loaded, and its tables of symbols and names; debug information, which may be ten times as large,
 * is not in it.
 */
#ifndef MADT_IDENTITY_H
#define MADT_IDENTITY_H

#include "elf/elf_file.h"
#include "madt_sum.h"

/* 0, or an errno value with the text in the file's failure. */
int identity_read(const struct elf_file *file, struct madt_sum_key key, uint64_t *identity);

#endif
