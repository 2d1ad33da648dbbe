/*
 * Most system calls of code that has a plan: they are made here at once, without Syscall User
 * Dispatch's signal. A trampoline comes with all registers as they are in front of the target's
 * instruction, but for rcx and r11, which the instruction overwrites: rcx holds the address behind
 * it, and r11 says where the trampoline goes on (madt_plan.h, MADT_GS_CALL). Like the instruction,
 * this code leaves all other registers, the flags and the target's stack alone: it compares by lea
 * and jrcxz.
 *
 *   madt_direct    which way?  has no pointers      ──▶ madt_direct_plain ──▶ back
 *                              direct_look decides  ──▶ any of the three
 *                              it answers itself    ──▶ madt_direct_answered ──▶ back
 *                              has pointers         ──▶ madt_direct_told, direct_tell ──▶ back
 *                              the gate's           ──▶ madt_direct_gated
 *
 * Calls with pointers need direct_look only if the kernel overwrites a length and that is to be
 * recorded; and direct_tell only if anything is recorded behind them. In an interposed function
 * they are made at once: nothing in it is recorded. Where calls of functions have times, all system
 * calls need both while the recording goes on, in interposed functions too: call_time.c; and where
 * it is told what orders threads, those that hand something over: handed.c.
 *
 * Those that may wait with a time limit need direct_look, which notes when they begin: wait_limit.c.
 *
 * A signal that finds the thread anywhere here is shown the target's own instruction or the address
 * behind it, by the address at which it found the thread (direct.c): the labels say what has
 * happened. direct_look and direct_tell run on MadT's stack, in a critical section; where signals
 * were held meanwhile, an int3 behind it hands them out.
 */
#include "base/assembly.h"

#define FLAGS 72     /* struct direct_registers */
#define DIRECT_ASK 3 /* direct.h */
#define DIRECT_TIMED 5
#define DIRECT_LIMITED 6
#define DIRECT_LIMITED_4 7
#define DIRECT_ANSWERED 3

	.section madt_sys, "ax", @progbits

	hide madt_direct, madt_direct_plain, madt_direct_made, madt_direct_looking, madt_direct_held
	hide madt_direct_told, madt_direct_answered, madt_direct_tell, madt_direct_telling, madt_direct_told_held
	hide madt_direct_end, madt_direct_gated, madt_direct_gated_end, madt_direct_back

	.balign 64
madt_direct:
	movq %rcx, %gs:state_direct_next
	movq %r11, %gs:state_direct_back
	movq %rax, %gs:state_direct_made
	movl $0, %gs:state_direct_looked
	/* a number above 65535 is none: rax - ax */
	movzwl %ax, %ecx
	notq %rcx
	leaq 1(%rax, %rcx), %rcx
	jrcxz 1f
	jmp madt_direct_gated
1:	movl %gs:state_frames, %ecx
	jrcxz 2f
	/* in an interposed function or a handler that interrupted it; or it has been left: rsp - stack - 1
	   is negative while the thread is in the function */
	movq %gs:state_silent_to, %rcx
	notq %rcx
	leaq (%rsp, %rcx), %rcx
	movq %rcx, %gs:state_direct_left
	movzbl %gs:state_direct_left + 7, %ecx
	jrcxz 8f
	movzwl %ax, %ecx
	leaq direct_way(%rip), %r11
	movzbl (%r11, %rcx), %ecx
	jrcxz 9f                      /* DIRECT_NOT */
	leal -DIRECT_ASK(%rcx), %ecx
	jrcxz 8f
	leal DIRECT_ASK - DIRECT_TIMED(%rcx), %ecx
	jrcxz 8f
	leal DIRECT_TIMED - DIRECT_LIMITED(%rcx), %ecx
	jrcxz 8f
	leal DIRECT_LIMITED - DIRECT_LIMITED_4(%rcx), %ecx
	jrcxz 7f
6:	jmp madt_direct_plain
7:	movq %r10, %rcx
	jrcxz 6b
8:	jmp madt_direct_looking
9:	jmp madt_direct_gated
	/* the recording began or ended since this thread looked */
2:	movzbl recording(%rip), %ecx
	movzbl %gs:state_led, %r11d
	notq %r11
	leaq 1(%rcx, %r11), %rcx
	jrcxz 3f
	jmp 8b
3:	movzwl %ax, %ecx
	leaq direct_way(%rip), %r11
	movzbl (%r11, %rcx), %ecx
	jrcxz 9b                      /* DIRECT_NOT */
	leal -1(%rcx), %ecx
	jrcxz madt_direct_plain       /* DIRECT_PLAIN */
	leal -1(%rcx), %ecx
	jrcxz 4f                      /* DIRECT_POINTERS */
	leal -1(%rcx), %ecx
	jrcxz 8b                      /* DIRECT_ASK */
	leal DIRECT_ASK - DIRECT_LIMITED(%rcx), %ecx
	jrcxz 8b                      /* DIRECT_LIMITED */
	leal DIRECT_LIMITED - DIRECT_LIMITED_4(%rcx), %ecx
	jrcxz 5f                      /* DIRECT_LIMITED_4 */
	movzbl recording(%rip), %ecx  /* DIRECT_LENGTHS, DIRECT_TIMED */
	jrcxz 4f                      /* it may begin while the call lasts */
	jmp 8b
5:	movq %r10, %rcx
	jrcxz 4f
	jmp 8b
4:	jmp madt_direct_told

madt_direct_plain:
	syscall
madt_direct_made:
	movq %gs:state_direct_next, %rcx
	jmp *%gs:state_direct_back

/* struct direct_registers, from its end on; the stack is the target's again behind it */
	.macro registers_push stack, kept
	movq %rsp, \stack
	movq %gs:state_address, %rsp /* the thread's state lies on top of MadT's stack */
	pushfq
	pushq \stack
	pushq %rax
	pushq %rdi
	pushq %rsi
	pushq %rdx
	pushq %r10
	pushq %r8
	pushq %r9
	pushq \kept
	cld
	movq %rsp, %rdi
	.endm

	.macro registers_pop stack, kept
	flags_restore FLAGS(%rsp)
	popq \kept
	popq %r9
	popq %r8
	popq %r10
	popq %rdx
	popq %rsi
	popq %rdi
	popq %rax
	popq \stack
	movq \stack, %rsp
	.endm

madt_direct_looking:
	movl %gs:state_critical, %ecx
	leal 1(%rcx), %ecx
	movl %ecx, %gs:state_critical
	registers_push %r11, %rcx
	call direct_look
	movl %eax, %eax
	movq %rax, (%rsp)
	registers_pop %r11, %rcx
	movl %ecx, %r11d
	leal -DIRECT_ANSWERED(%rcx), %ecx
	jrcxz 4f
	movl %gs:state_critical, %ecx
	leal -1(%rcx), %ecx
	movl %ecx, %gs:state_critical
	movl %gs:state_held, %ecx
	jrcxz 1f
madt_direct_held:
	int3
1:	movl %r11d, %ecx
	jrcxz 3f                      /* DIRECT_NOT */
	leal -1(%rcx), %ecx
	jrcxz 2f                      /* DIRECT_PLAIN */
	jmp madt_direct_told
2:	jmp madt_direct_plain
3:	jmp madt_direct_gated
4:	jmp madt_direct_answered      /* what comes from here on comes behind the call */

madt_direct_told:
	syscall
madt_direct_tell:
	movl %gs:state_direct_looked, %ecx
	jrcxz 5f
	jmp 6f
5:	movzbl recording(%rip), %ecx
	jrcxz 8f
	jmp 6f
8:	movq %gs:state_direct_next, %rcx
	jmp *%gs:state_direct_back
6:	movl %gs:state_critical, %ecx
	leal 1(%rcx), %ecx
	movl %ecx, %gs:state_critical
madt_direct_telling:
	registers_push %rcx, %r11
	call direct_tell
	registers_pop %rcx, %r11
madt_direct_answered:
	movl %gs:state_critical, %ecx
	leal -1(%rcx), %ecx
	movl %ecx, %gs:state_critical
	movl %gs:state_held, %ecx
	jrcxz 1f
madt_direct_told_held:
	int3
1:	movq %gs:state_direct_next, %rcx
	jmp *%gs:state_direct_back
madt_direct_end:
	nop

/*
 * Out of the range: a SIGSYS, in which the gate makes the call (direct_hand_over). Where Syscall
 * User Dispatch is off, in a vfork child whose calls are no longer followed, it is made here.
 */
	.text
	.balign 16
madt_direct_gated:
	syscall
madt_direct_gated_end:
	movq %gs:state_direct_next, %rcx
	jmp *%gs:state_direct_back
madt_direct_back:
	nop

	.section .note.GNU-stack, "", @progbits
