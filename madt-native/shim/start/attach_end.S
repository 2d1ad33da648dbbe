/*
 * Where what madt-inject calls returns to: it sends itself a signal, at which madt-inject stops it.
 * Where nobody does, since madt-inject has been killed, the thread goes back to what it did by
 * itself, by what lies on its stack (inject/back.c). And a system call for a thread that has its
 * dispatch already (madt_attach.h).
 */
#include <asm/unistd.h>

	.section madt_sys, "ax", @progbits
	.globl madt_attach_end
	.type madt_attach_end, @function
madt_attach_end:
	movq %rax, %rbx              /* the result; r12 is the signal */
	movl $__NR_getpid, %eax
	syscall
	movl %eax, %edi
	movl $__NR_gettid, %eax
	syscall
	movl %eax, %esi
	movl %r12d, %edx
	movl $__NR_tgkill, %eax
	syscall
	.globl madt_attach_ended
	.type madt_attach_ended, @function
madt_attach_ended:
	movl $__NR_rt_sigreturn, %eax
	syscall
	ud2
	.size madt_attach_ended, .-madt_attach_ended
	.size madt_attach_end, .-madt_attach_end

	.globl madt_attach_call
	.type madt_attach_call, @function
madt_attach_call:
	syscall
	ret
	.size madt_attach_call, .-madt_attach_call

	.section .note.GNU-stack, "", @progbits
