#include "decode/state_mask.h"

#include <cpuid.h>
#include <string.h>

#define LEGACY_BYTES 576 /* and the header; Intel SDM volume 1, 13.4 */
#define FEATURE_FIRST 2
#define FEATURES 32
#define OSXSAVE (1u << 27)
#define LEAF 13

static uint32_t features_enabled(void)
{
	unsigned a, b, c, d;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE))
		return 0;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	return a;
}

/* Standard or compacted form: Intel SDM volume 1, 13.4.2 and 13.4.3. */
static uint32_t state_bytes(uint32_t mask, bool compacted)
{
	const uint32_t features = mask & features_enabled();
	uint32_t bytes = LEGACY_BYTES;
	for (unsigned i = FEATURE_FIRST; i < FEATURES; i++) {
		unsigned size, offset, flags, d;
		if (!(features >> i & 1) || !__get_cpuid_count(LEAF, i, &size, &offset, &flags, &d))
			continue;
		if (compacted)
			bytes = (flags & 2 ? (bytes + 63) & ~63u : bytes) + size;
		else if (offset + size > bytes)
			bytes = offset + size;
	}
	return bytes;
}

/* xsave, xrstor, xsaveopt; xrstors, xsavec, xsaves. */
static bool accesses_state(const uint8_t *bytes, bool *compacted)
{
	bytes += (*bytes & 0xf0) == 0x40;
	const unsigned operation = bytes[2] >> 3 & 7;
	*compacted = bytes[1] == 0xc7;
	return bytes[0] == 0x0f && bytes[2] >> 6 != 3
			&& ((bytes[1] == 0xae && operation >= 4 && operation <= 6)
					|| (*compacted && operation >= 3 && operation <= 5));
}

static void size_set(const struct state_mask *mask, bool compacted, struct instruction *instruction)
{
	for (unsigned i = 0; i < instruction->site.entry.operands; i++)
		if (instruction->site.operands[i].size == LEGACY_BYTES)
			instruction->site.operands[i].size = (uint16_t)state_bytes(mask->eax, compacted);
}

void state_mask_follow(struct state_mask *mask, const uint8_t *bytes,
		struct instruction *instruction)
{
	const struct insn *insn = &instruction->insn;
	bool compacted;
	mask->known &= mask->next == insn->address;
	mask->next = insn->address + insn->length;
	if (*bytes == 0xb8 && insn->length == 5) { /* mov eax, immediate */
		mask->known = true;
		memcpy(&mask->eax, bytes + 1, sizeof mask->eax);
	} else if (insn->length > 2 && mask->known && accesses_state(bytes, &compacted)) {
		size_set(mask, compacted, instruction);
	} else if (insn->writes & 1u << REGISTER_RAX) {
		mask->known = false;
	}
}
