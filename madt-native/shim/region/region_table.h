/*
 * The table itself, region_table.c: region.c has what the target maps, region_open.c open, close and
 * pins, region_read.c careful copies.
 */
#ifndef MADT_REGION_TABLE_H
#define MADT_REGION_TABLE_H

#include "region/region.h"

extern struct region *region_table;
extern uint32_t region_count;

/* Changed in handlers and critical sections only, hence the plain lock. */
void region_lock(void);
void region_unlock(void);
/* Index of the first region that ends behind `address`. */
uint32_t region_at(uintptr_t address);
/* Cuts whatever lies across an address in two; makes one of equal neighbours. */
void region_table_split(uintptr_t address);
void region_table_merge(uint32_t i);
bool region_table_insert(uint32_t i, struct region region); /* false: there is no memory */
void region_table_drop(uint32_t i);
void region_table_remove(uintptr_t start, uintptr_t end);
/* In a child of a fork: it does not have what is apart. The caller holds the lock. */
void region_drop_apart(void);
/* Opens or closes a range as region_open and region_close do; the caller holds the lock. */
bool range_protect(uintptr_t start, uintptr_t end, bool open);

#endif
