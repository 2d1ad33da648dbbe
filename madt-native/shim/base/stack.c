/* Work on MadT's own stack. */
#include "base/state.h"

bool attached, ran_before;

extern void madt_on_stack(void (*work)(void *), void *argument, void *top);

void on_own_stack(void (*work)(void *), void *argument)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0),
			  bottom = attached ? (uintptr_t)self.handler_stack : 0;

	if (!bottom || here - bottom < HANDLER_STACK_BYTES)
		work(argument);
	else
		madt_on_stack(work, argument, (char *)self.handler_stack + HANDLER_STACK_BYTES);
}
