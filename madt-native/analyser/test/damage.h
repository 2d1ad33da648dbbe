/* What the checks with damaged files share. */
#ifndef MADT_DAMAGE_H
#define MADT_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern char elf_path[300], map_path[300]; /* files to write */
extern char good_path[300];
extern uint8_t *good; /* the shared object there */
extern size_t good_size;

void expect(bool holds, const char *what);
void file_write(const char *path, const void *bytes, size_t size);

/* The checks with damaged splice plans; the build-id is the shared object's. */
void plan_checks(const uint8_t *id, uint32_t id_length);

#endif
