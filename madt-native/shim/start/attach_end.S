/*
 * Where what madt-inject calls returns to: it waits for the trap. And a system call for a thread that
 * has its dispatch already (madt_attach.h).
 */
	.text
	.globl madt_attach_end
	.type madt_attach_end, @function
madt_attach_end:
	int3
	.size madt_attach_end, .-madt_attach_end

	.section madt_sys, "ax", @progbits
	.globl madt_attach_call
	.type madt_attach_call, @function
madt_attach_call:
	syscall
	int3
	.size madt_attach_call, .-madt_attach_call

	.section .note.GNU-stack, "", @progbits
