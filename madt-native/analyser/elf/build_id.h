/* The GNU build-id note: the identity of a linked file, kept through strip. */
#ifndef MADT_BUILD_ID_H
#define MADT_BUILD_ID_H

#include "elf/elf_file.h"
#include "madtcode.h"

struct build_id {
	uint8_t bytes[MADTCODE_BUILD_ID_MAX];
	uint32_t length; /* 0: the file has none */
};

/* 0, or an errno value with the text in the file's failure. */
int build_id_read(const struct elf_file *file, struct build_id *id);

#endif
