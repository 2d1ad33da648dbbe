/*
 * Finds the instructions of a text: each known function linearly from its start, then linearly what
 * lies between them, then what control is known to come to in the midst of instructions. An offset
 * becomes an entry once; a function's view of it wins.
 */
#ifndef MADT_TEXT_WALK_H
#define MADT_TEXT_WALK_H

#include "map/code_map.h"
#include "elf/functions.h"
#include "elf/text.h"

/* `ranges` are sorted. 0, or an errno value with the text in the file's failure. */
int text_walk(const struct text *text, const struct functions *functions, struct code_map *map,
		const struct elf_file *file);

#endif
