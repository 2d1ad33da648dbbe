/* How wrappers call the real functions. */
	.text
/*
 * long madt_call(const void *code, long a, long b, long c, long d, long e): see wrap.h and
 * wrap_unwind.c
 */
	.balign 16
	.globl madt_call
	.hidden madt_call
	.type madt_call, @function
madt_call:
	.cfi_startproc
	.cfi_personality 0x1b, madt_personality /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	movq %rdi, %rax
	movq %rsi, %rdi
	movq %rdx, %rsi
	movq %rcx, %rdx
	movq %r8, %rcx
	movq %r9, %r8
	call *%rax
	.globl madt_called
	.hidden madt_called
madt_called:
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size madt_call, .-madt_call

	.section .note.GNU-stack, "", @progbits
