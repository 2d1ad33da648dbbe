/* CRC32C (Castagnoli, reflected polynomial 0x82f63b78): the checksum of code maps. */
#ifndef MADT_CRC32C_H
#define MADT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continue with `crc` from an earlier part, 0 at first. */
uint32_t crc32c_add(uint32_t crc, const void *data, size_t size);

/* As crc32c_add, without the CPU's crc32 instruction. */
uint32_t crc32c_add_portable(uint32_t crc, const void *data, size_t size);

#endif
