/* What files of assembly code share. */
#ifndef MADT_ASSEMBLY_H
#define MADT_ASSEMBLY_H

/* clang-format off */

#define DIRECTION 0x400 /* of the flags, and the overflow flag's bit */
#define OVERFLOW 11

	/* names for libmadt.so alone */
	.macro hide names:vararg
	.globl \names
	.hidden \names
	.endm

	/*
	 * Gives the flags the values that a pushfq has left; spoils rax and rdx. No popfq: under a
	 * debugger that steps, what was pushed has the trap flag, and a popfq would make it the
	 * target's own. (It is slow, too.)
	 */
	.macro flags_restore pushed
	movq \pushed, %rax
	testl $DIRECTION, %eax
	jz .Lforward\@
	std
.Lforward\@:
	movl %eax, %edx
	shrl $OVERFLOW, %edx
	andl $1, %edx
	movb %al, %ah
	movb %dl, %al
	addb $127, %al /* the overflow flag; sahf sets the others */
	sahf
	.endm

#endif
