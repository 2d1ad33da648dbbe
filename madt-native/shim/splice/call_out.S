/*
 * From a trampoline to a function in C, with everything of the target's saved: general registers,
 * flags, and what XCR0 names, x87 and vector registers among it. Nothing is written on the target's
 * stack, so that its red zone stays. A trampoline comes by jmp gs:[MADT_GS_OUT], with
 *
 *   rax             the argument         gs:[MADT_GS_SPILL]    the target's rax
 *                                        gs:[MADT_GS_CALLEE]   where it goes on
 *                                        gs:[MADT_GS_MASK]     the instruction that comes next
 *
 * and goes on with all registers as they were, rax too; the function's result is in
 * gs:[MADT_GS_MASK]. With MADT_CALL_GENERAL, and for Go's allocator, no vector registers are saved,
 * since the function changes none, with MADT_CALL_LOW the parts that instructions of SSE change. The
 * function gets the argument and a struct madt_probe_state. It runs on MadT's stack in a critical
 * section, and must not write to the thread's chunk.
 *
 *   gs:[MADT_GS_STACK] ──▶ code, flags, r15 … rcx, rax: the state │ xsave, from a multiple of 64
 *
 * A signal that finds the thread anywhere here is held: call_out.c. Where there is one behind the
 * section, or the thread was stepping when it came here, the way back is an int3.
 */
#include "base/assembly.h"

#define GS 0x40000000
#define SPILL (GS + 8)
#define CALLEE (GS + 32)
#define MASK (GS + 40)
#define VECTOR (GS + 64)
#define RSP 32
#define FLAGS 128
#define XSAVE_HEADER 512
#define CALL_GENERAL 3
#define CALL_LOW 4
#define CALL_GO_LEAVE 6 /* that of its entry is 5 */

	hide madt_call_out, madt_call_out_held, madt_call_out_end

	.text
	.type madt_call_out, @function
	.balign 64
madt_call_out:
	movq %rsp, %gs:VECTOR
	movq %gs:state_address, %rsp /* the thread's state lies on top of MadT's stack */
	pushq %gs:MASK
	pushfq
	pushq %r15
	pushq %r14
	pushq %r13
	pushq %r12
	pushq %r11
	pushq %r10
	pushq %r9
	pushq %r8
	pushq %rdi
	pushq %rsi
	pushq %rbp
	pushq %gs:VECTOR
	pushq %rbx
	pushq %rdx
	pushq %rcx
	pushq %gs:SPILL
	cld
	incl %gs:state_critical
	movq %rsp, %rbx /* the state */
	movq %rax, %r12 /* the argument */
	cmpb $CALL_GENERAL, %al
	je 6f
	cmpb $CALL_LOW, %al
	je 7f
	jb 8f
	cmpb $CALL_GO_LEAVE, %al
	jbe 6f
8:
	movl call_out_bytes(%rip), %ecx
	subq %rcx, %rsp
	andq $-64, %rsp
	cmpl $XSAVE_HEADER, %ecx
	je 1f
	xorl %ecx, %ecx
	.irp word, 0, 8, 16, 24, 32, 40, 48, 56
	movq %rcx, XSAVE_HEADER + \word(%rsp)
	.endr
	movl $-1, %eax
	movl $-1, %edx
	xsave64 (%rsp)
	jmp 2f
1:	fxsave64 (%rsp)
2:	fninit
	ldmxcsr usual(%rip)
	movq %r12, %rdi
	movq %rbx, %rsi
	call call_out
	movq %rax, %gs:MASK
	cmpl $XSAVE_HEADER, call_out_bytes(%rip)
	je 3f
	movl $-1, %eax
	movl $-1, %edx
	xrstor64 (%rsp)
	jmp 4f
3:	fxrstor64 (%rsp)
4:	movq %gs:CALLEE, %rdx
	movq %rdx, %gs:state_out_way
	decl %gs:state_critical
	movl %gs:state_held, %eax
	orl %gs:state_out_steps, %eax
	jz 5f
	leaq madt_call_out_held(%rip), %rdx
	movq %rdx, %gs:state_out_way
5:	movq %rbx, %rsp
	flags_restore FLAGS(%rsp)
	popq %rax
	popq %rcx
	popq %rdx
	popq %rbx
	leaq 8(%rsp), %rsp
	popq %rbp
	popq %rsi
	popq %rdi
	popq %r8
	popq %r9
	popq %r10
	popq %r11
	popq %r12
	popq %r13
	popq %r14
	popq %r15
	movq %gs:VECTOR, %rsp
	jmp *%gs:state_out_way
6:	andq $-16, %rsp
	movq %rax, %rdi
	movq %rbx, %rsi
	call call_out
	jmp 4b
7:	subq $272, %rsp
	andq $-16, %rsp
	.irp vector, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movaps %xmm\vector, 16 * \vector(%rsp)
	.endr
	stmxcsr 256(%rsp)
	ldmxcsr usual(%rip)
	movq %rax, %rdi
	movq %rbx, %rsi
	call call_out
	ldmxcsr 256(%rsp)
	.irp vector, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movaps 16 * \vector(%rsp), %xmm\vector
	.endr
	jmp 4b
madt_call_out_held:
	int3
madt_call_out_end:
	nop
	.size madt_call_out, . - madt_call_out

	.section .rodata
	.balign 4
usual:
	.long 0x1f80

	.section .note.GNU-stack, "", @progbits
