/*
 * Calls a function of the user's for call_functions.c, so that a fault in it can end it.
 *
 *   library_enter     rdi the function, rsi its argument; returns 1
 *   library_broken  where a fault goes on, with the thread's library_stack: returns 0
 */
#include "base/assembly.h"

	hide library_enter, library_broken

	.text
	.type library_enter, @function
library_enter:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	subq $8, %rsp
	movq %rsp, %gs:state_library_stack
	movq %rdi, %rax
	movq %rsi, %rdi
	call *%rax
	movl $1, %eax
1:	movq $0, %gs:state_library_stack
	addq $8, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
library_broken:
	cld
	movq %gs:state_library_stack, %rsp
	xorl %eax, %eax
	jmp 1b
	.size library_enter, . - library_enter

	.section .note.GNU-stack, "", @progbits
