/* Numbers of .eh_frame, in memory that may be closed, damaged or gone. */
#include "chain/chain_table.h"

#include "base/load.h"
#include "base/state.h"

#include <sys/uio.h>

bool unwind_may_read(uintptr_t at, size_t size)
{
	uint8_t byte;
	struct iovec here = { &byte, 1 };

	if (!self.chain.careful)
		return true;
	if (at + size < at)
		return false;
	for (uintptr_t page = PAGE_DOWN(at); page <= at + size - 1; page += MADT_PAGE) {
		uintptr_t *known = &self.chain.there[page / MADT_PAGE % CHAIN_PAGES];
		struct iovec there = { (void *)page, 1 };

		if (*known != page
				&& SYS6(__NR_process_vm_readv, SYS0(__NR_gettid), &here, 1, &there, 1, 0) != 1)
			return false;
		*known = page;
	}
	return true;
}

bool unwind_word(uintptr_t at, uint64_t *value)
{
	*value = 0;
	return unwind_may_read(at, sizeof *value) && load_word(at, value);
}

uint64_t unwind_unsigned(struct unwind_bytes *bytes, unsigned size)
{
	uint64_t value = 0;

	if (bytes->broken || bytes->at > bytes->end || bytes->end - bytes->at < size
			|| !unwind_may_read(bytes->at, size)) {
		bytes->broken = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++) {
		uint8_t byte;

		if (!load_byte(bytes->at++, &byte)) {
			bytes->broken = true;
			return 0;
		}
		value |= (uint64_t)byte << 8 * i;
	}
	return value;
}

int64_t unwind_signed(struct unwind_bytes *bytes, unsigned size)
{
	unsigned unused = 64 - 8 * size;

	return (int64_t)(unwind_unsigned(bytes, size) << unused) >> unused;
}

/* Seven bits a byte; `last` becomes the last byte, `bits` how many there are. */
static uint64_t leb_bits(struct unwind_bytes *bytes, uint8_t *last, unsigned *bits)
{
	uint64_t value = 0;

	*bits = 0;
	do {
		*last = (uint8_t)unwind_unsigned(bytes, 1);
		if (*bits < 64)
			value |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
	} while (*last & 0x80);
	return value;
}

uint64_t unwind_leb(struct unwind_bytes *bytes)
{
	uint8_t last;
	unsigned bits;

	return leb_bits(bytes, &last, &bits);
}

int64_t unwind_sleb(struct unwind_bytes *bytes)
{
	uint8_t last;
	unsigned bits;
	uint64_t value = leb_bits(bytes, &last, &bits);

	return (int64_t)(last & 0x40 && bits < 64 ? value | UINT64_MAX << bits : value);
}
