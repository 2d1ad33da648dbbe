/*
 * Where code in assembly language finds what it needs of a thread's state, relative to GS. The
 * build takes the comments out of what the compiler makes of this file, and defines the names for
 * all .S files (part.mk).
 */
#include "base/state.h"

#define OFFSET(name, field)                  \
	__asm__ volatile("# offset " name " %c0" \
					 :                       \
					 : "i"(MADT_GS_AT + offsetof(struct madt_thread, field)))

__attribute__((used)) static void offsets(void)
{
	OFFSET("state_address", address);
	OFFSET("state_critical", critical);
	OFFSET("state_held", held.count);
	OFFSET("state_frames", thread.frames);
	OFFSET("state_silent_to", thread.silent_to);
	OFFSET("state_led", session.led);
	OFFSET("state_direct_next", direct.next);
	OFFSET("state_direct_back", direct.back);
	OFFSET("state_direct_made", direct.made);
	OFFSET("state_direct_looked", direct.looked);
	OFFSET("state_direct_left", direct.left);
	OFFSET("state_out_steps", splice.out_steps);
	OFFSET("state_out_way", splice.out_way);
	OFFSET("state_library_stack", splice.library_stack);
}
