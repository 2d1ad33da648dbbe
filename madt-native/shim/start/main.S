/* What stands before main. */
	.text
/*
 * int madt_main(int, char **, char **): stands before main, starts the recording and leaves no
 * frame.
 */
	.balign 16
	.globl madt_main
	.hidden madt_main
	.type madt_main, @function
madt_main:
	.cfi_startproc
	pushq %rdi
	.cfi_adjust_cfa_offset 8
	pushq %rsi
	.cfi_adjust_cfa_offset 8
	pushq %rdx
	.cfi_adjust_cfa_offset 8
	call recording_start_at_main
	popq %rdx
	.cfi_adjust_cfa_offset -8
	popq %rsi
	.cfi_adjust_cfa_offset -8
	popq %rdi
	.cfi_adjust_cfa_offset -8
	jmp *%rax
	.cfi_endproc
	.size madt_main, .-madt_main

	.section .note.GNU-stack, "", @progbits
