/*
 * Functions of every class of instruction that the planner knows, to be run as they are and
 * spliced. They are called with every register but rcx and rdx leading into an arena below 4 GiB
 * that is full of pointers into itself, all aligned; rcx and rdx are small counts, and rdi and rsi
 * have 64 KiB around them. xmm registers hold anything. `needs` names a processor feature.
 */
	.intel_syntax noprefix

	.pushsection cases, "aw"
	.globl splice_cases
splice_cases:
	.popsection

	.macro case name:req, needs=""
	.pushsection .rodata
.Lname_\name:
	.asciz "\name"
.Lneeds_\name:
	.asciz "\needs"
	.popsection
	.pushsection cases, "aw"
	.quad \name, .Lend_\name, .Lname_\name, .Lneeds_\name
	.popsection
	.p2align 4
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro end name:req
	ret
.Lend_\name:
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text

	case loads
	mov rax, [rdi]
	mov ecx, [rdi + 12]
	mov dx, [rsi + 2]
	mov bl, [rsi]
	mov r8, [r9]
	mov r13, [r13]
	mov r12, [r12]
	movzx r10d, byte ptr [rdi + 5]
	movsx r11, word ptr [rsi + 300]
	movsxd rbp, dword ptr [rsi]
	end loads

	/* No copy can lead there from all places that it may have. */
	case far_targets
	mov r8, [rdi]
	lea rax, [rip + 0x7ff00000]
	mov r9, [rsi]
	lea r10, [rip - 0x7ff00000]
	mov r11, [rdi + 8]
	xor ebx, ebx
	.byte 0x0f, 0x85	/* jne */
	.long 0x7ff00000
	mov r12, [rsi + 8]
	end far_targets

	case swapped_loads movbe
	movbe eax, [rdi]
	movbe [rsi + 9], ebx
	movbe cx, [rsi]
	end swapped_loads

	case stores
	mov [rdi], rax
	mov [rsi + 8], ecx
	mov [rdi + 77], dx
	mov [rdi + 1], bh
	mov byte ptr [rsi], 7
	mov word ptr [rsi + 10], 0x1234
	mov dword ptr [rdi + 100], 0x12345678
	mov qword ptr [rdi + 104], -5
	mov [r8], r9
	movnti [rdi + 64], rax
	end stores

	/* words that follow from others, and such as seem to */
	case derives
	mov rax, [rdi]
	mov [rdi + 8], rax
	add [rdi - 16], eax
	lea rbx, [rdi + 24]
	mov [rbx], eax
	mov [rbx + 8], edx
	mov [rdi + 32767], dl
	mov [rdi + 32768], dl
	add rdi, 8
	mov [rdi], rdx
	mov [rdi + 4], edx
	end derives

	case derives_indexed
	mov [rsi + rcx * 4], edx
	mov [rsi + rcx * 4 + 12], edx
	mov [rsi + rcx * 8], edx
	mov [rsi], edx
	mov [rcx * 4 + 0x60040000], edx
	mov [rcx * 4 + 0x60040010], edx
	inc rcx
	mov [rsi + rcx * 4 + 8], edx
	mov [esi + 4], edx
	mov [esi + 8], edx
	mov [rsi + rcx * 4], edx
	mov cl, 3
	mov [rsi + rcx * 4 + 4], edx
	xchg rsi, rdi
	mov [rsi], edx
	mov [rdi + 1], edx
	bswap rdx
	end derives_indexed

	case derives_pointers
	mov [rdi], al
	scasb
	mov [rdi], al
	cmpsb
	mov [rdi + 1], al
	mov [rsi + 1], al
	stosb
	mov [rdi + 1], al
	mov eax, [rip + shared]
	mov [rip + shared + 8], eax
	mov [rdi + 2], al
	cmove rdi, rsi
	mov [rdi], al
	mov [rdi + 8], al
	end derives_pointers

	case derives_pushed
	mov [rdi + 9], al
	push rdi
	mov [rdi], al
	mov [rsp - 16], rax
	push qword ptr [rsp]
	mov [rsp + 8], rdi
	pop qword ptr [rsp]
	pop rdi
	mov [rdi + 8], al
	end derives_pushed

	case modifies
	add [rdi], rax
	sub dword ptr [rdi + 8], 5
	inc byte ptr [rsi]
	dec qword ptr [rsi + 8]
	not word ptr [rdi + 2]
	neg dword ptr [rsi + 16]
	shl qword ptr [rdi], cl
	shrd [rdi + 24], rbx, 7
	adc [rsi], r8b
	sbb r9, [rdi]
	rol byte ptr [rdi + 3]
	xor [r10], ebx
	end modifies

	case exchanges
	xchg [rdi], rax
	xchg bl, [rsi]
	xadd [rdi + 8], r8
	lock xadd [rdi + 8], r9d
	lock inc dword ptr [rsi]
	mov rax, [rdi]
	lock cmpxchg [rdi], r10
	cmpxchg [rdi], r11
	end exchanges

	case wide_exchanges
	and rdi, -16
	and rsi, -16
	mov rax, [rdi]
	mov rdx, [rdi + 8]
	lock cmpxchg16b [rdi]
	cmpxchg16b [rsi]
	cmpxchg8b [rdi]
	lock cmpxchg8b [rsi + 8]
	end wide_exchanges

	case jumped_lock
	mov eax, [rdi]
	test edx, 1
	je 1f
	lock
1:	cmpxchg [rdi], r10d
	mov eax, [rsi]
	end jumped_lock

	case conditional_moves
	cmp rdx, 3
	cmovb rax, [rdi]
	cmovae rbx, [rsi]
	cmovs r8d, [rdi + 4]
	setne [rdi + 9]
	setb [rsi]
	end conditional_moves

	case strings
	movsb
	movsw
	movsd
	movsq
	stosb
	stosq
	lodsb
	lodsd
	scasb
	scasq
	cmpsb
	cmpsd
	std
	movsb
	stosd
	lodsq
	cmpsw
	cld
	end strings

	case repeated
	rep movsb
	mov ecx, 3
	rep movsq
	mov ecx, edx
	rep stosd
	mov ecx, edx
	rep lodsw
	mov rcx, rdx
	rep stosb
	mov r8, [rdi]
	end repeated

	case repeated_compare
	mov rsi, rdi
	mov byte ptr [rdi + 5], 1
	lea r9, [rdi + 64]
	mov rdi, r9
	repe cmpsb
	mov ecx, 5
	repne cmpsw
	mov ecx, edx
	repne scasb
	mov ecx, 4
	repe scasq
	xor ecx, ecx
	repe cmpsb
	end repeated_compare

	case repeated_backwards
	std
	rep movsw
	mov ecx, edx
	rep stosb
	cld
	end repeated_backwards

	case repeated_narrow
	.byte 0x67
	rep movsb
	mov ecx, edx
	.byte 0x67
	rep stosd
	mov ecx, edx
	.byte 0x67
	repne scasb
	end repeated_narrow

	case repeated_all_live
	rep movsb
	add rax, rbx
	add rax, r8
	add rax, r9
	add rax, r10
	add rax, r11
	add rax, r12
	add rax, r13
	add rax, r14
	add rax, r15
	add rax, rbp
	end repeated_all_live

	case addresses
	mov rax, [rdi + rdx * 8 + 16]
	mov ebx, [rdx * 8 + 0x60000100]
	mov r8, [edi]
	mov r9d, [esi + edx * 2 - 5]
	lea r10, [rdi + 4]
	mov r11, [r10]
	mov r12, [r13 + rdx - 129]
	mov rbp, [rbp + 0]
	mov r14b, [rbp]
	end addresses

	case relative
	mov rax, [rip + shared]
	mov ebx, [rip + shared + 4]
	mov [rip + shared + 8], rdx
	add dword ptr [rip + shared + 16], 0x01020304
	cmp byte ptr [rip + shared], 5
	lea r8, [rip + shared]
	mov r9, [r8 + 8]
	movups xmm1, [rip + shared]
	imul r10d, [rip + shared], 0x1234567
	mov word ptr [rip + shared + 24], 0x1234
	end relative

	case translation
	and ebx, 0x7fffffff
	xlat
	movzx edx, al
	mov rbx, rdi
	xlat
	end translation

	case pushes
	push qword ptr [rdi]
	pop qword ptr [rsi]
	push rax
	push qword ptr [rip + shared]
	pop rcx
	pop [rsi + 8]
	push [rsp]
	pop r9
	end pushes

	case red_zone
	mov [rsp - 8], rax
	mov [rsp - 16], rbx
	mov [rsp - 128], rsi
	mov r8, [rdi]
	mov [rdi + 8], r8
	mov rbx, [rsp - 8]
	mov rax, [rsp - 16]
	mov rsi, [rsp - 128]
	add rbx, [rsi]
	end red_zone

	case frames
	push rbp
	mov rbp, rsp
	sub rsp, 32
	mov [rbp - 8], rdi
	mov rax, [rbp - 8]
	mov rcx, [rax]
	mov [rsp], rcx
	leave
	enter 16, 0
	mov rdx, [rdi]
	leave
	end frames

	.type helper, @function
helper:
	.cfi_startproc
	mov [rsi + 32], rax
	mov rax, [rdi + 24]
	mov rdx, [rsp]
	lea rcx, [rip + helper]
	sub rdx, rcx
	mov [rsi + 24], rdx
	ret
	.cfi_endproc
	.size helper, . - helper

	case calls
	sub rsp, 24
	lea rax, [rip + helper]
	mov [rdi + 40], rax
	mov rbx, rdi
	call helper
	mov r8, [rbx]
	call helper
	lea r11, [rip + helper]
	mov r9, [rbx]
	call r11
	mov r12, [rsi]
	call [rbx + 40]
	mov [rsp + 8], r11
	mov r10, [rdi]
	call [rsp + 8]
	mov [rip + callee], r11
	call [rip + callee]
	inc byte ptr [rdi]
	call helper
	add rsp, 24
	end calls

	case jumps
	lea rax, [rip + 2f]
	mov [rdi], rax
	mov [rip + callee], rax
	cmp edx, 4
	jb 1f
	jmp [rip + callee]
1:	jmp [rdi]
2:	mov r8, [rsi]
	end jumps

	case short_return
	mov eax, [rdi]
	end short_return

	case short_store
	mov [rsi], al
	end short_store

	case loop_head_in_window
	mov ecx, 5
	mov rax, rdi
1:	mov rbx, [rax]
	add rax, 8
	inc byte ptr [rsi]
	dec ecx
	jnz 1b
	end loop_head_in_window

	case tight_targets
	test dl, 1
	jz 1f
	inc r8
1:	mov al, [rdi]
	test dl, 2
	jz 2f
	mov bl, [rsi]
2:	mov r9b, [rdi]
	test dl, 4
	jz 3f
	nop
3:	mov [rdi], bl
	end tight_targets

	case long_run
	mov rax, [rdi]
	mov rbx, [rdi + 8]
	mov r8, [rdi + 16]
	mov r9, [rdi + 24]
	mov [rsi], rax
	mov [rsi + 8], rbx
	mov [rsi + 16], r8
	mov [rsi + 24], r9
	mov r10, [rdi + 32]
	mov r11, [rdi + 40]
	mov [rsi + 32], r10
	mov [rsi + 40], r11
	xchg rax, [rdi + 48]
	end long_run

	case chases
	mov rax, [rdi]
	mov rax, [rax]
	mov rbx, [rax + 8]
	mov rcx, [rbx]
	push rcx
	mov r8, [rsi]
	pop rdx
	mov r9, [rdx]
	mov r10, [r8]
	movq xmm0, r10
	movq r11, xmm0
	mov r12, [r11]
	end chases

	case all_live
	mov r8b, [rdi]
	add [rsi], r8b
	mov r9b, [rdi + 1]
	add [rsi + 1], r9b
	lea rax, [rax + rbx]
	lea rax, [rax + rcx]
	lea rax, [rax + rdx]
	lea rax, [rax + rbp]
	lea rax, [rax + r8]
	lea rax, [rax + r9]
	lea rax, [rax + r10]
	lea rax, [rax + r11]
	lea rax, [rax + r12]
	lea rax, [rax + r13]
	lea rax, [rax + r14]
	lea rax, [rax + r15]
	end all_live

	case flags_kept
	cmp rdx, 5
	mov rax, [rdi]
	mov [rsi], rax
	jb 1f
	mov rbx, [rdi + 8]
1:	adc rax, 0
	mov rcx, [rdi]
	seto cl
	std
	mov r8, [rsi]
	stosb
	cld
	stc
	mov r9, [rsi]
	rcl r9, 1
	end flags_kept

	case floats
	fld dword ptr [rdi]
	fadd qword ptr [rsi]
	fstp tbyte ptr [rdi + 16]
	fild word ptr [rsi]
	fistp qword ptr [rsi + 8]
	fnstcw [rdi + 32]
	fldcw [rdi + 32]
	fld tbyte ptr [rdi + 16]
	fst dword ptr [rsi]
	fstp st(0)
	fnstsw [rsi + 20]
	fnstenv [rdi + 64]
	/* where the last of these was: a trampoline, if spliced; signals lose it */
	mov qword ptr [rdi + 76], 0
	mov qword ptr [rdi + 84], 0
	fldenv [rdi + 64]
	end floats

	case vectors
	movups xmm0, [rdi]
	movaps xmm3, xmm0
	addps xmm0, xmm1
	movups [rsi], xmm0
	movss xmm2, [rdi + 3]
	movsd [rsi + 8], xmm2
	movhps xmm0, [rdi]
	movlpd [rsi + 40], xmm1
	cvtsi2sd xmm4, qword ptr [rdi]
	pinsrw xmm0, [rdi + 2], 3
	movd [rsi], xmm0
	movq xmm5, [rdi]
	movdqu [rdi], xmm3
	ldmxcsr [rip + control]
	stmxcsr [rsi]
	maskmovdqu xmm0, xmm1
	movq mm0, [rdi]
	maskmovq mm0, mm0
	movntq [rsi], mm0
	emms
	end vectors

	case states osxsave
	and rdi, -64
	fxsave64 [rdi]
	fxrstor64 [rdi]
	fxsave [rdi + 512]
	lea rdi, [rdi + 1024]
	xor edx, edx
	mov eax, 3
	mov qword ptr [rdi + 512], 0
	mov qword ptr [rdi + 520], 0
	mov qword ptr [rdi + 528], 0
	xsave64 [rdi]
	xrstor64 [rdi]
	/* whether a part in its first state counts as in use is the processor's choice */
	or qword ptr [rdi + 512], 1
	end states

	case bits
	bt [rdi], rdx
	bts qword ptr [rdi], 5
	neg rdx
	btr [rsi], rdx
	btc [rsi], edx
	bts word ptr [rdi + 2], dx
	lock bts dword ptr [rsi], 3
	bt [rdi], dx
	end bits

	case thread_local
	mov rax, fs:[0]
	mov rbx, [rdi]
	mov rcx, fs:[40]
	sub rcx, rcx
	sub rax, rax
	end thread_local

	/* fs:[r8] is [rdi]; fs:[0] holds the base of FS */
	case thread_relative
	mov rax, fs:[0]
	mov r8, rdi
	sub r8, rax
	mov rcx, fs:[r8 + 8]
	mov fs:[r8 + 16], rcx
	add qword ptr fs:[r8 + 24], 5
	mov edx, 3
	mov fs:[r8 + rdx * 8], dx
	mov fs:[rdx * 2 + r8 + 40], cl
	mov r13, r8
	mov r9, fs:[r13]
	mov r9, r8
	sub r9, rsp
	mov r10, fs:[rsp + r9 + 8]
	mov fs:[rsp + r9 + 56], r10
	mov r11d, 40
	mov r12, fs:[r11d]
	sub r12, fs:[40]
	movabs rax, fs:[40]
	sub rax, fs:[r11]
	bts fs:[r8], rdx
	mov rbx, r8
	xlatb fs:[rbx]
	mov rsi, r8
	add rdi, 128
	mov ecx, 17
	.byte 0x64, 0xf3, 0xa4 /* rep movsb es:[rdi], fs:[rsi] */
	.byte 0x64, 0x48, 0xad /* lodsq fs:[rsi] */
	sub rsi, r8
	sub rbx, rbx
	sub r8, r8
	sub r9, r9
	sub r13, r13
	end thread_relative

	case switches
	lea r8, [rip + 9f]
	and edx, 3
	movsxd rax, dword ptr [r8 + rdx * 4]
	add rax, r8
	jmp rax
1:	mov eax, [rdi]
2:	mov ebx, [rsi]
3:	inc r9
4:	mov [rsi], bl
	ret
	.p2align 2
	.pushsection .rodata
9:	.long 1b - 9b, 2b - 9b, 3b - 9b, 4b - 9b
	.popsection
	end switches

	case many_shorts
	mov al, [rdi]
	mov bl, [rsi]
	mov [rdi], bl
	mov [rsi], al
	inc byte ptr [rdi]
	mov [r8], al
	mov cl, [r9]
	mov dl, [rdi]
	mov [rsi], cl
	mov ah, [rdi]
	mov r10b, [r11]
	mov ebp, [rdi]
	end many_shorts

	case vex avx2
	vmovdqu ymm0, [rdi]
	vpaddd ymm1, ymm0, [rsi]
	vmovdqu [rsi + 32], ymm1
	vpbroadcastd ymm2, [rdi + 4]
	vpmaskmovd ymm3, ymm0, [rdi]
	vmaskmovps [rsi], ymm1, ymm0
	vpcmpeqd ymm4, ymm4, ymm4
	vpxor xmm5, xmm5, xmm5
	vpgatherdd ymm6, [rdi + ymm5 * 4], ymm4
	vpcmpeqd xmm4, xmm4, xmm4
	vgatherqps xmm7, [rsi + xmm5 * 8], xmm4
	vzeroupper
	end vex

	case bmi bmi2
	sarx rax, [rdi], rdx
	mulx r8, r9, [rsi]
	andn ebx, edx, [rdi]
	rorx r10d, [rsi], 7
	end bmi

	case evex avx512
	mov eax, 0x5a5a
	kmovw k1, eax
	vmovdqu32 zmm0, [rdi]
	vmovdqu32 zmm1{k1}{z}, [rsi]
	vmovdqu8 [rdi]{k1}, xmm1
	vmovdqu8 ymm6{k1}{z}, [rdi + 3]
	kmovq k5, [rsi]
	vmovdqu8 zmm7{k5}, [r8 + rdx * 4]
	vmovdqu8 [rsi + 5]{k5}, zmm0
	vmovdqu64 xmm8{k5}{z}, [rdi + 40]
	vmovupd [rsi + 48]{k5}, ymm0
	vmovdqu16 zmm9{k7}{z}, [r12]
	vmovss xmm10{k5}{z}, [rdi]
	vmovdqa64 zmm17, zmm0		/* the C library's functions use it */
	vpcmpeqb k6{k5}, ymm17, [r13 + 1]
	vmovdqa64 zmm31, zmm0
	vmovdqu32 [rsi]{k6}, zmm31
	vpaddd zmm2{k1}, zmm0, dword ptr [rsi]{1to16}
	vpcompressd [rsi + 128]{k1}, zmm0
	vpexpandd zmm3{k1}, [rdi]
	kxnorw k2, k2, k2
	vpxord zmm4, zmm4, zmm4
	vpgatherdd zmm5{k2}, [rdi + zmm4 * 4]
	kxnorw k2, k2, k2
	vpscatterdd [rsi + zmm4 * 4]{k2}, zmm5
	kmovq k3, [rdi]
	kmovw [rsi], k1
	vzeroupper
	end evex

	/* Behind a call the processor's next step is not seen: a nop. In r11 is the trap flag. */
	case systems
	mov eax, 39
	syscall
	nop
	mov [rdi], rax
	mov r8, [rsi]
	lea r10, [rax + rax]
	mov eax, 110
	mov [rsi + 8], r10
	syscall
	nop
	cmp rax, -4096
	ja 1f
	mov [rdi + 8], rcx
	xor eax, eax
	mov al, 186
	nop
	syscall
	nop
	add [rsi + 16], rax
1:	mov [rdi + 24], rax
	mov rbx, [rsi]
	mov r11, rcx
	end systems

	/* a branch into its own second byte */
	case overlap_own
	mov rax, [rdi]
	.byte 0xeb, 0xff, 0xc0		/* jmp to inc eax */
	mov [rdi + 8], rax
	test cl, 1
	.byte 0x74, 0xff, 0xc0		/* je to inc eax; nop */
	.byte 0x3e, 0x90		/* or sar byte ptr [rsi], 0x90 */
	mov [rdi + 16], rax
	.byte 0x75, 0xff, 0x47, 0x08	/* jne to inc dword ptr [rdi + 8]; clc */
	.byte 0xf8			/* or or r8b, r15b */
	mov rbx, [rdi + 24]
	end overlap_own

	/* the address of code, and a call into its own last byte */
	case overlap_calls
	call 1f
1:	pop rax
	mov [rdi], rbx
	.byte 0xe8, 0xff, 0xff, 0xff, 0xff, 0xc1	/* call to inc ecx */
	pop rdx
	sub rdx, rax
	mov [rdi + 8], rdx
	end overlap_calls

	/* what the second byte of the first one is the first byte of, and so on */
	case overlap_levels
	test cl, 1
	je 1f
	test cl, 2
	je 2f
	.byte 0x48			/* mov rax, immediate of 8 bytes */
1:	.byte 0xb8			/* mov eax, immediate of 4 */
2:	.byte 0x81, 0x07, 1, 2	/* add dword ptr [rdi], immediate */
	.byte 0x89, 0x46, 0x90	/* mov [rsi - 112], eax behind the second; nop behind the third */
	nop
	mov [rdi + 8], eax
	end overlap_levels

	case overlap_prefixes
	mov rax, [rdi]
	test cl, 1
	je 1f
	lock
1:	add [rdi], rdx
	jne 2f
	.byte 0x66
2:	mov [rsi], eax
	js 3f
	.byte 0x48
3:	mov [rsi + 16], ebx
	mov rdx, [rsi + 8]
	lea r8, [rip + 4f + 1]
	jmp r8
4:	.byte 0xa9, 0xff, 0x06, 0x90, 0x90	/* inc dword ptr [rsi] within test eax, immediate */
	mov [rsi + 24], rax
	end overlap_prefixes

#include "overlaps.inc"

	.pushsection cases, "aw"
	.globl splice_cases_end
splice_cases_end:
	.popsection

	.data
	.p2align 4
	.globl shared
	.type shared, @object
shared:
	.quad 0x1122334455667788, 2, 3, 4, 5, 6, 7, 8
	.size shared, . - shared
callee:
	.quad 0
control:
	.long 0x1f80

	.section .note.GNU-stack, "", @progbits
