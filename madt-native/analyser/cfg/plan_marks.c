/* What is known of each byte of the code: marks, and which instruction starts there. */
#include "cfg/plan_text.h"

/* In 64 bits: pairs, fours, eights, then all. Not every processor counts them itself. */
static unsigned bits_count(uint64_t bits)
{
	bits -= bits >> 1 & UINT64_C(0x5555555555555555);
	bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
	bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

void plan_text_rank(struct plan_text *text)
{
	uint32_t rank = 0;
	/* a module may have no code */
	for (uint32_t i = 0; text->size && i <= text->size / 64; i++) {
		text->ranks[i] = rank;
		rank += bits_count(text->starts[i]);
	}
}

struct insn *plan_text_insn(const struct plan_text *text, uint64_t address)
{
	if (!plan_text_holds(text, address) || !plan_text_starts(text, address))
		return NULL;
	const uint64_t at = address - text->start;
	return &text->insns[text->ranks[at / 64]
			+ bits_count(text->starts[at / 64] & ((UINT64_C(1) << at % 64) - 1))];
}

void plan_text_mark(struct plan_text *text, uint64_t address, uint64_t size, enum text_mark mark)
{
	for (uint64_t i = 0; i < size && plan_text_holds(text, address + i); i++)
		text->marks[address + i - text->start] |= (uint8_t)mark;
}

bool plan_text_has(const struct plan_text *text, uint64_t address, uint64_t size, unsigned marks)
{
	for (uint64_t i = 0; i < size; i++)
		if (!plan_text_holds(text, address + i) || text->marks[address + i - text->start] & marks)
			return true;
	return false;
}
