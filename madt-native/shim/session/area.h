/* Parts of the session file, mapped without opening it. */
#ifndef MADT_SESSION_AREA_H
#define MADT_SESSION_AREA_H

#include "base/base.h"

/*
 * Opens the file, once, and maps its first page, from which all other mappings come; NULL where
 * that cannot be done.
 */
void *area_open(const char *path);

/* Maps a part of it, from a multiple of 4096 on, where MadT likes; a negated errno on failure. */
long area_map(uint64_t from, size_t size);

/*
 * Allocates what lies behind addresses of such a mapping that are new, so that a full file system
 * is an error here and no SIGBUS later; and only then, since most processes need little of what
 * there may be.
 */
bool area_allocate(void *at, size_t size);

/* Takes such a mapping away, and gives all memory back that is behind it. */
void area_give_back(void *at, size_t size);

#endif
