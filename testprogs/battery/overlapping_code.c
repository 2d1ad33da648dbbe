/* Instructions that share bytes: branches into their own second byte, behind a lock, into immediate
 * values. */
/* flags: -O1 */
#include <stdio.h>

static long memory[8];

__asm__(".text\n"
		".globl own_byte\n"
		".type own_byte, @function\n"
		"own_byte:\n"
		".cfi_startproc\n"
		"	mov (%rdi), %rax\n"
		"	.byte 0xeb, 0xff, 0xc0\n" /* jmp to inc eax */
		"	mov %rax, 8(%rdi)\n"
		"	test %esi, %esi\n"
		"	.byte 0x74, 0xff, 0xc0, 0x3e, 0x90\n" /* je to inc eax; nop; else sarb $0x90, (%rsi) */
		"	mov %rax, 16(%rdi)\n"
		"	ret\n"
		".cfi_endproc\n"
		".size own_byte, . - own_byte\n"
		".globl hidden\n"
		".type hidden, @function\n"
		"hidden:\n"
		".cfi_startproc\n"
		"	lea entries(%rip), %rax\n"
		"	jmp *(%rax,%rsi,8)\n"
		"1:	.byte 0xb8, 0x48, 0xff, 0x07, 0x90\n" /* mov $, %eax; within it: incq (%rdi); nop */
		"	add %rsi, 8(%rdi)\n"
		"	lock\n"
		"2:	addq $3, 16(%rdi)\n"
		"	ret\n"
		".cfi_endproc\n"
		".size hidden, . - hidden\n"
		".pushsection .data.rel.ro, \"aw\"\n"
		"entries:\n"
		"	.quad 1b, 1b + 1, 1b + 2, 2b, 2b - 1\n"
		".popsection\n"
		".globl code_address\n"
		".type code_address, @function\n"
		"code_address:\n"
		".cfi_startproc\n"
		"	call 1f\n"
		"1:	pop %rax\n"
		"	.byte 0xe8, 0xff, 0xff, 0xff, 0xff, 0xc1\n" /* call to inc ecx */
		"	pop %rdx\n"
		"	sub %rax, %rdx\n"
		"	mov %rdx, 24(%rdi)\n"
		"	ret\n"
		".cfi_endproc\n"
		".size code_address, . - code_address\n");

void own_byte(long *at, int taken);
void hidden(long *at, long way);
void code_address(long *at);

static void show(const char *what)
{
	printf("%s:", what);
	for (int i = 0; i < 4; i++)
		printf(" %ld", memory[i]);
	printf("\n");
}

int main(void)
{
	memory[0] = 41;
	for (int round = 0; round < 3; round++) {
		own_byte(memory, 0);
		show("own byte");
		for (long way = 0; way < 5; way++) {
			hidden(memory, way);
			show("hidden");
		}
		code_address(memory);
		show("code address");
	}
	return 0;
}
