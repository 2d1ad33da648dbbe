/*
 * Where an allocator by another name is entered. A stub says which one it is by its number, and all
 * go on in one piece of code: it lets wrap_named.c see the arguments, calls the function, and lets
 * it see the result. Compilers know which registers a function of the same file changes, and may
 * keep values in all others: so these hold what they held, in front of the call and behind it.
 *
 *   rbp + 16  arguments on the stack
 *         8   return address
 *         0   rbp of the caller
 *        -8   number of the stub                     \
 *       -16   where the function goes on              \
 *       -48 … what wrap_named.c keeps of the call        struct named_call, from its end
 *       -56   rax                                     /
 *       -64 … rcx rdx rsi rdi r8 r9 r10 r11          /
 *      -128   (alignment)
 */
#define CODE -16
#define CALL -120 /* struct named_call */
#define BELOW 128
#define STUBS 256 /* NAMED_MOST of named_table.c */

	.text
	.macro named_registers_save
	movq %rax, -56(%rbp)
	movq %rcx, -64(%rbp)
	movq %rdx, -72(%rbp)
	movq %rsi, -80(%rbp)
	movq %rdi, -88(%rbp)
	movq %r8, -96(%rbp)
	movq %r9, -104(%rbp)
	movq %r10, -112(%rbp)
	movq %r11, -120(%rbp)
	.endm
	.macro named_registers_restore
	movq -56(%rbp), %rax
	movq -64(%rbp), %rcx
	movq -72(%rbp), %rdx
	movq -80(%rbp), %rsi
	movq -88(%rbp), %rdi
	movq -96(%rbp), %r8
	movq -104(%rbp), %r9
	movq -112(%rbp), %r10
	movq -120(%rbp), %r11
	.endm

	.balign 16
	.globl named_stubs
	.hidden named_stubs
	.type named_stubs, @function
named_stubs:
	.cfi_startproc
	.set stub, 0
	.rept STUBS
	.balign 16
	pushq $stub
	.cfi_adjust_cfa_offset 8
	jmp named_call
	.cfi_adjust_cfa_offset -8
	.set stub, stub + 1
	.endr
	.cfi_endproc
	.size named_stubs, .-named_stubs

	.balign 16
	.type named_call, @function
named_call:
	.cfi_startproc
	.cfi_personality 0x1b, madt_personality /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
	.cfi_def_cfa_offset 16
	xchgq %rbp, (%rsp) /* the number for the caller's rbp */
	.cfi_offset %rbp, -16
	pushq %rbp
	leaq 8(%rsp), %rbp
	.cfi_def_cfa %rbp, 16
	leaq -(BELOW - 8)(%rsp), %rsp
	named_registers_save
	leaq CALL(%rbp), %rdi
	call named_enter
	named_registers_restore
	pushq 56(%rbp)
	pushq 48(%rbp)
	pushq 40(%rbp)
	pushq 32(%rbp)
	pushq 24(%rbp)
	pushq 16(%rbp)
	call *CODE(%rbp)
	.globl named_called
	.hidden named_called
named_called:
	leaq -BELOW(%rbp), %rsp
	named_registers_save
	leaq CALL(%rbp), %rdi
	call named_leave
	named_registers_restore
	movq %rbp, %rsp
	popq %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size named_call, .-named_call

	.section .note.GNU-stack, "", @progbits
