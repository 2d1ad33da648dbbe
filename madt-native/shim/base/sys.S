/*
 * Every system call that the shim makes by itself, in one range of text: it is the range that
 * Syscall User Dispatch lets pass (Linux Documentation/admin-guide/syscall-user-dispatch.rst). The
 * kernel compares the address behind the `syscall`. The section's name is that of an identifier, so
 * that the linker says where it begins and ends (sys.h); gate/direct.S adds to it.
 */
/* state.h: MADT_GS_AT and the first fields of struct madt_thread */
#define THREAD_ADDRESS 128
#define MASKED_RESULT 136
#define MASKED_SET 144
#define GS_THREAD_ADDRESS 0x40000000 + THREAD_ADDRESS
#define GS_MASKED_RESULT 0x40000000 + MASKED_RESULT

	.section madt_sys, "ax", @progbits
	.balign 16
	nop

/* long sys_call(long number, long a, long b, long c, long d, long e, long f) */
	.globl sys_call
	.hidden sys_call
	.type sys_call, @function
sys_call:
	.cfi_startproc
	movq %rdi, %rax
	movq %rsi, %rdi
	movq %rdx, %rsi
	movq %rcx, %rdx
	movq %r8, %r10
	movq %r9, %r8
	movq 8(%rsp), %r9
	syscall
	ret
	.cfi_endproc
	.size sys_call, .-sys_call

/* Returns from MadT's own handlers. The bytes are those by which unwinders know a signal frame. */
	.balign 16
	nop
	.globl madt_restore_own
	.hidden madt_restore_own
madt_restore_own:
	.byte 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05

/*
 * The stubs in which the target's calls are made: slot 0 for all ordinary calls, the others for
 * clone and fork, whose child wakes up in the stub and finds by its address what was called. The
 * stack is the target's and stays untouched. The second half is for calls that the target makes by
 * `int $0x80`.
 */
	.balign 16
	.globl madt_stub
	.hidden madt_stub
madt_stub:
	.rept 64
	syscall
	int3
	.byte 0xcc
	.endr
	.rept 64
	int $0x80
	int3
	.byte 0xcc
	.endr
/*
 * The stub of calls during which MadT's signals are blocked in the kernel too (gate_mask.c): before
 * its trap it gives the thread the mask that it has otherwise. What the call returned waits in the
 * thread's state.
 */
	.balign 16
	.globl madt_stub_masked, madt_stub_masked_kept, madt_stub_masked_end
	.hidden madt_stub_masked, madt_stub_masked_kept, madt_stub_masked_end
madt_stub_masked:
	syscall
	movq %rax, %gs:GS_MASKED_RESULT
madt_stub_masked_kept:
	movq %gs:GS_THREAD_ADDRESS, %rsi
	addq $MASKED_SET, %rsi
	movl $2, %edi
	xorl %edx, %edx
	movl $8, %r10d
	movl $14, %eax
	syscall
	movq %gs:GS_MASKED_RESULT, %rax
	int3
madt_stub_masked_end:
	nop

/*
 * The restorer of the target's handlers lies outside that range on purpose: their rt_sigreturn
 * passes the gate, which then knows that the handler has ended.
 */
	.text
	.balign 16
	nop
	.globl madt_restore_target
	.hidden madt_restore_target
madt_restore_target:
	.byte 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05

/* void madt_on_stack(void (*work)(void *), void *argument, void *top) */
	.balign 16
	.globl madt_on_stack
	.hidden madt_on_stack
	.type madt_on_stack, @function
madt_on_stack:
	.cfi_startproc
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	movq %rdx, %rsp
	movq %rdi, %rax
	movq %rsi, %rdi
	call *%rax
	movq %rbp, %rsp
	popq %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size madt_on_stack, .-madt_on_stack

	.section .note.GNU-stack, "", @progbits
