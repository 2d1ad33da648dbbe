/* Functions that the program copies by loads and stores of its own, and calls there. */
/* flags: -O1 -fno-toplevel-reorder -fno-inline -fno-builtin -fcf-protection=none */
#define _GNU_SOURCE
#include "copied.h"

int main(void)
{
	char *open = room_of(RW | PROT_EXEC), *closed = room_of(RW), *moved = room_of(RW);

	call("in place", (char *)visit);
	copy(open, (char *)visit, (char *)end_of_all);
	call("by a loop", open);
	copy_at_once(open + PAGE, (char *)visit, (char *)end_of_all);
	copy_at_once(open + PAGE + 2048, (char *)visit, (char *)end_of_all);
	call("at once", open + PAGE);
	call("once more", open + PAGE + 2048);
	copy(open + 3 * PAGE, open, open + ((char *)end_of_all - (char *)visit));
	call("a copy's copy", open + 3 * PAGE);
	copy(closed, (char *)visit, (char *)end_of_all);
	mprotect(closed, 8 * PAGE, PROT_READ | PROT_EXEC);
	call("protected", closed);
	copy_at_once(moved + PAGE - 20, (char *)visit, (char *)end_of_all);
	mprotect(moved, 8 * PAGE, PROT_READ | PROT_EXEC);
	call("across pages", moved + PAGE - 20);
	return 0;
}
