/*
 * Functions that the program copies to the end of the addresses that it may have, from where a jump
 * far enough ahead leads to no address.
 */
/* flags: -O1 -no-pie -fno-toplevel-reorder -fno-inline -fno-builtin -fcf-protection=none */
#define _GNU_SOURCE
#include "copied.h"

#define END ((char *)0x7ffffffff000)

int main(void)
{
	char *high = mmap(END - 2 * PAGE, PAGE, RW | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (high == MAP_FAILED)
		high = room_of(RW | PROT_EXEC); /* something lies there */
	copy(high, (char *)visit, (char *)end_of_all);
	call("high", high);
	copy_at_once(high + PAGE / 2, (char *)visit, (char *)end_of_all);
	call("once more", high + PAGE / 2);
	return 0;
}
