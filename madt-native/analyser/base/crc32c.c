#include "base/crc32c.h"

#include <nmmintrin.h>
#include <string.h>

#define POLYNOMIAL 0x82f63b78u

uint32_t crc32c_add_portable(uint32_t crc, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	crc = ~crc;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
	}
	return ~crc;
}

__attribute__((target("sse4.2"))) static uint32_t crc32c_add_sse(uint32_t crc, const void *data,
		size_t size)
{
	const uint8_t *bytes = data;
	uint64_t state = ~crc;
	for (; size >= 8; size -= 8, bytes += 8) {
		uint64_t word;
		memcpy(&word, bytes, 8);
		state = _mm_crc32_u64(state, word);
	}
	for (; size; size--)
		state = _mm_crc32_u8((uint32_t)state, *bytes++);
	return ~(uint32_t)state;
}

uint32_t crc32c_add(uint32_t crc, const void *data, size_t size)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_add_sse(crc, data, size);
	return crc32c_add_portable(crc, data, size);
}
