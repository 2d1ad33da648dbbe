/*
 * void splice_call(struct splice_state *state, const void *function, void *stack);
 *
 * Calls the function on the given stack with every register and the flags as the state has them,
 * and brings back what it leaves. Between the popfq and splice_returned only the function's own
 * instructions run, but for the call.
 */
	.intel_syntax noprefix

	.local kept_stack, kept_state, kept_rax, callee
	.comm kept_stack, 8, 8
	.comm kept_state, 8, 8
	.comm kept_rax, 8, 8
	.comm callee, 8, 8

	.text
	.globl splice_call, splice_returned
	.type splice_call, @function
splice_call:
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	mov [rip + kept_stack], rsp
	mov [rip + kept_state], rdi
	mov [rip + callee], rsi
	mov rsp, rdx
	fxrstor64 [rdi + 144]
	push qword ptr [rdi + 128]
	mov rax, [rdi + 0]
	mov rcx, [rdi + 8]
	mov rdx, [rdi + 16]
	mov rbx, [rdi + 24]
	mov rbp, [rdi + 40]
	mov rsi, [rdi + 48]
	mov r8, [rdi + 64]
	mov r9, [rdi + 72]
	mov r10, [rdi + 80]
	mov r11, [rdi + 88]
	mov r12, [rdi + 96]
	mov r13, [rdi + 104]
	mov r14, [rdi + 112]
	mov r15, [rdi + 120]
	mov rdi, [rdi + 56]
	popfq
	call [rip + callee]
splice_returned:
	mov [rip + kept_rax], rax
	mov rax, [rip + kept_state]
	mov [rax + 8], rcx
	mov [rax + 16], rdx
	mov [rax + 24], rbx
	mov [rax + 32], rsp
	mov [rax + 40], rbp
	mov [rax + 48], rsi
	mov [rax + 56], rdi
	mov [rax + 64], r8
	mov [rax + 72], r9
	mov [rax + 80], r10
	mov [rax + 88], r11
	mov [rax + 96], r12
	mov [rax + 104], r13
	mov [rax + 112], r14
	mov [rax + 120], r15
	mov rcx, [rip + kept_rax]
	mov [rax], rcx
	pushfq
	pop qword ptr [rax + 128]
	fxsave64 [rax + 144]
	mov rsp, [rip + kept_stack]
	cld
	fninit
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	ret
	.size splice_call, . - splice_call

/* System calls of trampolines: madt_plan.h, MADT_GS_CALL. */
	.local system_next, system_back
	.comm system_next, 8, 8
	.comm system_back, 8, 8
	.globl splice_system
	.type splice_system, @function
splice_system:
	mov [rip + system_next], rcx
	mov [rip + system_back], r11
	syscall
	mov rcx, [rip + system_next]
	jmp [rip + system_back]
	.size splice_system, . - splice_system

/*
 * bool splice_out(const void *before, void *after): calls out with the extended state of `before`
 * and keeps what there is behind it. Whether the red zone is as it was.
 */
	.globl splice_out
	.type splice_out, @function
splice_out:
	push rbx
	mov rbx, rsi
	mov eax, -1
	mov edx, -1
	xrstor64 [rdi]
	mov qword ptr [rsp - 8], 0x5a5a5a5a
	mov qword ptr [rsp - 128], 0x6b6b6b6b
	mov gs:[0x40000008], rax
	lea rax, [rip + 1f]
	mov gs:[0x40000020], rax
	mov eax, 255
	jmp gs:[0x40000120]
1:	xor ecx, ecx
	cmp qword ptr [rsp - 8], 0x5a5a5a5a
	setne cl
	cmp qword ptr [rsp - 128], 0x6b6b6b6b
	setne ch
	mov eax, -1
	mov edx, -1
	xsave64 [rbx]
	fninit
	push 0x1f80
	ldmxcsr [rsp]
	pop rax
	xor eax, eax
	test ecx, ecx
	setz al
	pop rbx
	ret
	.size splice_out, . - splice_out

	.section .note.GNU-stack, "", @progbits
