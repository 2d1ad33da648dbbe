#include "map/frame_pointer.h"

/* gcc's longest prologues, which realign the stack and save everything, stay below */
#define PROLOGUE_INSTRUCTIONS 16

void frame_pointer_follow(struct frame_pointer *frame, enum frame_effect effect,
		const struct code_map *map)
{
	bool early = frame->seen++ < PROLOGUE_INSTRUCTIONS;
	frame->pushed |= effect == FRAME_PUSHES;
	if (effect != FRAME_COPIES && effect != FRAME_LOSES)
		return;
	if (!frame->pushed || effect == FRAME_LOSES || (!frame->set && !early)) {
		frame->lost = true;
	} else if (!frame->set) {
		frame->set = true;
		frame->first_entry = map->entry_count;
	}
}

void frame_pointer_apply(const struct frame_pointer *frame, struct code_map *map)
{
	if (!frame->set || frame->lost)
		return;
	for (size_t i = frame->first_entry; i < map->entry_count; i++) {
		struct madt_code_operand *operand = map->operands + map->entries[i].first_operand;
		for (unsigned left = map->entries[i].operands; left; left--, operand++)
			if (operand->base == 5 && operand->segment == MADT_SEGMENT_NONE)
				operand->flags |= MADT_OPERAND_STACK;
	}
}
