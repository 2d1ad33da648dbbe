/*
 * One instruction of every class that the code map knows, each with the entry that it must get (see
 * print_entry in check_instructions.c; "-" is no entry). Nothing of this is ever run. Offsets are
 * odd so that no two can be mistaken.
 */
	.intel_syntax noprefix

	.pushsection cases, "aw"
	.globl madt_cases
madt_cases:
	.popsection

	.macro expect at:req, expected:req
	.pushsection .rodata
.Ltext\@:
	.asciz "\expected"
	.popsection
	.pushsection cases, "aw"
	.quad \at, .Ltext\@
	.popsection
	.endm

	.macro case expected:req, instruction:vararg
.Lcase\@:
	\instruction
	expect .Lcase\@, "\expected"
	.endm

	/* A lock prefix that the code may jump over. */
	.macro case_lock expected:req, instruction:vararg
.Llock\@:
	lock
	\instruction
	expect .Llock\@, "\expected"
	expect .Llock\@+1, "\expected"
	.endm

	.macro function name:req
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro end_function name:req
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text
	function callee
	case "L8 [rsp] stack implicit", ret
	end_function callee

	function plain
	case "L8 [rcx]", mov rax, [rcx]
	case "S1 [rcx+7]", mov [rcx+7], al
	case "M4 [r9+r10*8-129]", add [r9+r10*8-129], eax
	case "L2 [rdx*4+77]", movzx eax, word ptr [rdx*4+77]
	case "L4 [rip+33]", mov eax, [rip+33]
	case "S8 [rip-1001]", mov [rip-1001], r11
	case "M1 [rip+5]", inc byte ptr [rip+5]
	case "S4 [rip+5]", mov dword ptr [rip+5], 0x11223344
	case "L8 [fs:+40]", mov rax, fs:[40]
	case "L8 [fs:-8]", mov rax, fs:[-8]
	case "M4 [gs:rsi+3]", xor gs:[rsi+3], ecx
	case "L4 [+4096]", mov eax, [0x1000]
	case "L1 [+1234605616436508552]", movabs al, [0x1122334455667788]
	case "S8 [+1234605616436508552]", movabs [0x1122334455667788], rax
	case "L4 [rax+rcx*4-8] a32", mov eax, [eax+ecx*4-8]
	case "L4 [rip+5] a32", mov eax, [eip+5]
	case "L8 [rsp+24] stack", mov rax, [rsp+24]
	case "M8 [r12+1]", xchg [r12+1], r13
	case "M4 [rbx]", xadd [rbx], eax
	case_lock "M4 [rip+99]", cmpxchg [rip+99], edx
	case_lock "M8 [rdi]", xadd [rdi], rcx
	case_lock "M4 [rax]", inc dword ptr [rax]
	case "M8 [rdi]", cmpxchg8b [rdi]
	case "M16 [rdi]", cmpxchg16b [rdi]
	case "L4 [rcx]", cmovne eax, [rcx]
	case "S1 [rcx]", setne [rcx]
	case "L8 [rax]", jmp [rax]
	case "L6 [rax]", jmp fword ptr [rax]
	case "L6 [rcx]", lss eax, [rcx]
	case "S4 [rax]", movnti [rax], eax
	case "L4 [rcx]", rorx eax, [rcx], 5
	case "L4 [rcx]", crc32 eax, dword ptr [rcx]
	case "L8 [rcx]", movbe rax, [rcx]
	case "S2 [rax]", mov [rax], ds
	case "L64 [rcx]; S64 [rax] implicit", movdir64b rax, [rcx]
	case "L64 [rcx] a32; S64 [rax] implicit a32", movdir64b eax, [ecx]
	case "L64 [rcx]; S64 [rax] implicit", enqcmd rax, [rcx]
	case "S64 [rax] implicit", clzero
	end_function plain

	function no_access
	case "-", lea rax, [rcx+5]
	case "-", nop dword ptr [rax+rax*1+0]
	case "-", nop
	case "-", endbr64
	case "-", prefetcht0 [rax]
	case "-", prefetchw [rax]
	case "-", prefetchwt1 [rax]
	case "-", prefetchnta [rsp]
	case "-", clflush [rax]
	case "-", clflushopt [rax]
	case "-", clwb [rax]
	case "-", cldemote [rax]
	case "-", invlpg [rax]
	case "-", ud1 eax, [rcx]
	case "-", umonitor rax
	case "-", monitor
	case "-", bndmov bnd0, [rax]
	case "-", bndstx [rax+rcx], bnd0
	case "-", vgatherpf0dps [rax+zmm2*4]{k1}
	case "-", vscatterpf1qpd [rax+zmm2*4]{k1}
	case "-", syscall
	case "-", int3
	case "-", mov rax, rcx
	case "-", jmp rax
	case "-", verw ax
	end_function no_access

	function stack
	case "S8 [rsp-8] implicit stack", push r12
	case "S8 [rsp-8] implicit stack", push 5
	case "S2 [rsp-2] implicit stack", pushw 5
	case "L8 [rax+3]; S8 [rsp-8] implicit stack", push qword ptr [rax+3]
	case "L8 [rsp+8] stack; S8 [rsp-8] implicit stack", push qword ptr [rsp+8]
	case "L8 [rip+5]; S8 [rsp-8] implicit stack", push qword ptr [rip+5]
	case "L8 [rsp] implicit stack", pop r12
	case "L8 [rsp] implicit stack; S8 [rax+3]", pop qword ptr [rax+3]
	case "L8 [rsp] implicit stack; S8 [rsp+16] stack", pop qword ptr [rsp+8]
	case "L2 [rsp] implicit stack; S2 [rsp+10] stack", popw [rsp+8]
	case "pushf S8 [rsp-8] implicit stack", pushfq
	case "pushf S2 [rsp-2] implicit stack", pushfw
	case "popf L8 [rsp] implicit stack", popfq
	case "popf L40 [rsp] implicit stack", iretq
	case "L8 [rsp] implicit stack", ret 8
	case "L8 [rbp] implicit stack", leave
	case "S8 [rsp-8] implicit stack", enter 16, 0
	case "S8 [rsp-8] implicit stack; S8 [rsp-16] implicit stack", enter 16, 1
	case "S8 [rsp-8] implicit stack; L8 [rbp-8] implicit stack; S8 [rsp-16] implicit stack; \
S8 [rsp-24] implicit stack", enter 16, 2
	case "call direct callee S8 [rsp-8] implicit stack", call callee
	case "call S8 [rsp-8] implicit stack", call rax
	case "call L8 [r11+9]; S8 [rsp-8] implicit stack", call [r11+9]
	case "call L8 [rip+127]; S8 [rsp-8] implicit stack", call [rip+127]
	case "call L8 [fs:+16]; S8 [rsp-8] implicit stack", call fs:[16]
	case "call L6 [rax]; S8 [rsp-8] implicit stack", call fword ptr [rax]
	end_function stack

	function strings
	case "L1 [rsi] implicit; S1 [rdi] implicit", movsb
	case "rep L8 [rsi] implicit; S8 [rdi] implicit", rep movsq
	case "L4 [fs:rsi] implicit; S4 [rdi] implicit", fs movsd
	case "L1 [rdi] implicit; L1 [rsi] implicit", cmpsb
	case "rep L1 [rdi] implicit; L1 [rsi] implicit", repe cmpsb
	case "rep L2 [rdi] implicit", repne scasw
	case "L4 [rsi] implicit", lodsd
	case "rep S8 [rdi] implicit", rep stosq
	case "S1 [rdi] implicit a32", addr32 stosb
	case "S1 [rdi] implicit", insb
	case "rep L1 [rsi] implicit", rep outsb
	case "L1 xlat [rbx+rax*1] implicit", xlatb
	case "L1 xlat [fs:rbx+rax*1] implicit", fs xlatb
	end_function strings

	function bits
	case "L4 bit [rax+5] bit=rcx", bt [rax+5], ecx
	case "M2 bit [rax] bit=rdx", bts [rax], dx
	case "M8 bit [rip+7] bit=r9", btr [rip+7], r9
	case_lock "M8 bit [rdi] bit=rsi", btc [rdi], rsi
	case "M4 [rax]", btc dword ptr [rax], 37
	case "L8 [rax]", bt qword ptr [rax], 3
	end_function bits

	function floats
	case "L10 [rax]", fld tbyte ptr [rax]
	case "S10 [rax]", fstp tbyte ptr [rax]
	case "S10 [rax]", fbstp [rax]
	case "L8 [rax]", fadd qword ptr [rax]
	case "S2 [rax]", fistp word ptr [rax]
	case "S28 [rax]", fnstenv [rax]
	case "L28 [rax]", fldenv [rax]
	case "S108 [rax]", fnsave [rax]
	case "S2 [rax]", fnstcw [rax]
	case "S512 [rax]", fxsave [rax]
	case "L512 [rsp+64] stack", fxrstor64 [rsp+64]
	case "M576 [rsp] stack", xsave [rsp]
	case "S576 [rax]", xsavec [rax]
	mov eax, 3			/* the x87 and SSE state, and then AVX's as well */
	case "M576 [rbx]", xsave [rbx]
	mov eax, 7
	xor edx, edx
	case "M832 [rbx]", xsave [rbx]
	case "S832 [rbx+77]", xsavec [rbx + 77]
	case "L832 [rbx]", xrstor [rbx]
	mov eax, [rdi]
	case "M576 [rbx+3]", xsaveopt [rbx + 3]
	case "L576 [rax]", xrstor [rax]
	case "L4 [rsp-4] stack", ldmxcsr [rsp-4]
	case "L16 [rax]", movaps xmm1, [rax]
	case "S8 [rax]", movhps [rax], xmm1
	case "L4 [rax]", punpcklbw mm1, [rax]
	case "L16 [rax]", punpcklbw xmm1, [rax]
	case "L8 [rax]", movddup xmm1, [rax]
	case "L4 [rax]", insertps xmm1, [rax], 0
	case "S2 [rax]", pextrw [rax], xmm1, 0
	case "L32 [rax]", vaddps ymm1, ymm2, [rax]
	case "L16 [rax]", vbroadcastf128 ymm1, [rax]
	case "L64 [rax]", ldtilecfg [rax]
	case "L64 [rax+5]", tileloadd tmm1, [rax+rbx*4+5]
	end_function floats

	function vectors
	case "L4*8 vector [rax+v2*4+8] i4 mask=v3/4", vgatherdps ymm1, [rax+ymm2*4+8], ymm3
	case "L4*4 vector [rax+v2*4] i8 mask=v3/4", vgatherqps xmm1, [rax+ymm2*4], xmm3
	case "L4*2 vector [rax+v2*4] i8 mask=v3/4", vgatherqps xmm1, [rax+xmm2*4], xmm3
	case "L8*4 vector [rax+v2*8] i4 mask=v3/8", vgatherdpd ymm1, [rax+xmm2*8], ymm3
	case "L8*2 vector [rax+v2*1] i4 mask=v13/8", vpgatherdq xmm1, [rax+xmm2*1], xmm13
	case "L8*2 vector [v2*8] i8 mask=v3/8", vpgatherqq xmm1, [xmm2*8], xmm3
	case "L4*16 vector [rax+v20*4] i4 mask=k1", vgatherdps zmm1{k1}, [rax+zmm20*4]
	case "L4*8 vector [rax+v20*4] i8 mask=k7", vgatherqps ymm1{k7}, [rax+zmm20*4]
	case "L8*8 vector [rsp+v20*4] i4 mask=k1 stack", vgatherdpd zmm1{k1}, [rsp+ymm20*4]
	case "S4*8 vector [rax+v20*4] i8 mask=k1", vscatterqps [rax+zmm20*4]{k1}, ymm1
	case "S4*4 vector [rax+v2*4] i4 mask=k1", vpscatterdd [rax+xmm2*4]{k1}, xmm1
	case "S8*8 vector [rax+v31*8] i8 mask=k2", vpscatterqq [rax+zmm31*8]{k2}, zmm1
	case "L4*8 masked [rax] mask=v2/4", vmaskmovps ymm1, ymm2, [rax]
	case "S8*2 masked [rax] mask=v12/8", vmaskmovpd [rax], xmm12, xmm3
	case "L4*4 masked [rax] mask=v2/4", vpmaskmovd xmm1, xmm2, [rax]
	case "S8*4 masked [rip+9] mask=v2/8", vpmaskmovq [rip+9], ymm2, ymm3
	case "S1*16 masked [rdi] mask=v2/1 implicit", maskmovdqu xmm1, xmm2
	case "S1*16 masked [rdi] mask=v12/1 implicit", vmaskmovdqu xmm1, xmm12
	case "S8 [rdi] implicit", maskmovq mm1, mm2
	end_function vectors

	function opmasks
	case "L1*64 masked [rax] mask=k1", vmovdqu8 zmm1{k1}, [rax]
	case "S1*64 masked [rax+64] mask=k1", vmovdqu8 [rax+64]{k1}, zmm1
	case "S64 [rax]", vmovdqu64 [rax], zmm1
	case "L4*8 masked [rax] mask=k2", vmovups ymm1{k2}{z}, [rax]
	case "L4*1 masked [rax] mask=k1", vmovss xmm1{k1}, [rax]
	case "S8*1 masked [rax] mask=k1", vmovsd [rax]{k1}, xmm1
	case "L4*16 masked [rax] mask=k1", vaddps zmm1{k1}, zmm2, [rax]
	case "L4 [rax]", vaddps zmm1{k1}, zmm2, [rax]{1to16}
	case "L8 [rax+8]", vaddpd zmm1, zmm2, [rax+8]{1to8}
	case "L4*1 masked [rax] mask=k1", vaddss xmm1{k1}, xmm2, [rax]
	case "L2*32 masked [rax] mask=k1", vaddph zmm1{k1}, zmm2, [rax]
	case "L4 [rax]", vpbroadcastd zmm1{k1}, [rax]
	case "L16 [rax]", vbroadcastf32x4 zmm1{k1}, [rax]
	case "L4*16 masked [rax] mask=k2", vpcmpd k1{k2}, zmm1, [rax], 1
	case "L1*32 masked [rax] mask=k2", vpcmpeqb k1{k2}, ymm1, [rax]
	case "L4*16 masked [rax] mask=k1", vpblendmd zmm1{k1}, zmm2, [rax]
	case "L4*16 masked [rax] mask=k1", vpdpbusd zmm1{k1}, zmm2, [rax]
	case "L4*16 masked [rax] mask=k1", vfmaddcph zmm1{k1}, zmm2, [rax]
	case "L1*32 masked [rax] mask=k1", vpmovzxbw zmm1{k1}, [rax]
	case "S1*8 masked [rax] mask=k1", vpmovqb [rax]{k1}, zmm1
	case "S1*4 masked [rax] mask=k1", vpmovusdb [rax]{k1}, xmm1
	case "L2*16 masked [rax] mask=k1", vcvtph2ps zmm1{k1}, [rax]
	case "S2*16 masked [rax] mask=k1", vcvtps2ph [rax]{k1}, zmm1, 0
	case "L8*2 masked [rax] mask=k1", vcvtpd2ps xmm1{k1}, xmmword ptr [rax]
	case "S4*4 masked [rax] mask=k1", vextracti32x4 [rax]{k1}, zmm1, 1
	case "L16 [rax]", vinserti32x4 zmm1{k1}, zmm2, [rax], 1
	case "L64 [rax]", vpermw zmm1{k1}, zmm2, [rax]
	case "L64 [rax]", vpshufb zmm1{k1}, zmm2, [rax]
	case "L16 [rax]", vpsllw zmm1{k1}, zmm2, [rax]
	case "L2*32 masked [rax] mask=k1", vpsllw zmm1{k1}, [rax], 3
	case "L64 [rax]", vdbpsadbw zmm1{k1}, zmm2, [rax], 1
	case "L64 [rax]", vgf2p8affineqb zmm1{k1}, zmm2, [rax], 1
	case "L64 [rax]", vcvtne2ps2bf16 zmm1{k1}, zmm2, [rax]
	case "L16 [rax]", v4fmaddps zmm1{k1}, zmm4, [rax]
	case "L1*64 compressed [rax] mask=k1", vpexpandb zmm1{k1}, [rax]
	case "L4*16 compressed [rax] mask=k1", vexpandps zmm1{k1}{z}, [rax]
	case "L64 [rax]", vexpandpd zmm1, [rax]
	case "S2*32 compressed [rax] mask=k3", vpcompressw [rax]{k3}, zmm1
	case "S8*4 compressed [rax] mask=k1", vcompresspd [rax]{k1}, ymm1
	case "S32 [rax]", vcompresspd [rax], ymm1
	case "S8 [rax]", kmovq [rax], k1
	end_function opmasks

	function framed
	case "S8 [rsp-8] implicit stack", push rbp
	mov rbp, rsp
	push rbx
	case "L8 [rbp-16] stack", mov rax, [rbp-16]
	case "M4 [rbp+rcx*4-64] stack", add [rbp+rcx*4-64], eax
	case "L8 [fs:rbp]", mov rax, fs:[rbp]
	pop rbx
	pop rbp
	ret
	case "L8 [rbp-24] stack", mov rax, [rbp-24]
	leave
	ret
	end_function framed

	function realigned
	lea r10, [rsp+8]
	and rsp, -32
	case "L8 [r10-8]; S8 [rsp-8] implicit stack", push qword ptr [r10-8]
	push rbp
	mov rbp, rsp
	case "S4 [rbp-20] stack", mov [rbp-20], eax
	leave
	lea rsp, [r10-8]
	ret
	end_function realigned

	function unframed
	push rbp
	mov rbp, rdi
	case "L8 [rbp-16]", mov rax, [rbp-16]
	pop rbp
	ret
	end_function unframed

	function frame_lost
	push rbp
	mov rbp, rsp
	case "L8 [rbp-16]", mov rax, [rbp-16]
	mov ebp, eax
	pop rbp
	ret
	end_function frame_lost

	/* In no FDE and of no known size: a gap, at which the symbol is a place to synchronise. */
	.byte 0x0f, 0x04		/* undecodable */
	.byte 0x48			/* would make the next instruction a wider one */
	.globl in_gap
	.type in_gap, @function
in_gap:
	case "gap L4 [rcx+11]", mov eax, [rcx+11]
	case "gap call S8 [rsp-8] implicit stack", call rdx
	case_lock "gap M4 [rip+99]", cmpxchg [rip+99], edx
	.byte 0x48, 0x8b		/* the beginning of a mov, cut by the next function */

	function behind_gap
	case "L8 [rcx+11]", mov rax, [rcx+11]
	ret
	end_function behind_gap

	/* Another section of code: no function is known in it. */
	.section second, "ax", @progbits
	case "gap S4 [rdx]", mov [rdx], esi

	.pushsection cases, "aw"
	.globl madt_cases_end
madt_cases_end:
	.popsection
	.section .note.GNU-stack, "", @progbits
