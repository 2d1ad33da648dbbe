/* Nine hundred functions without padding: accesses stand on every edge of a page of their text. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define RW (PROT_READ | PROT_WRITE)
#define RX (PROT_READ | PROT_EXEC)

static long table[64], other[64];

#define ONE(n)                              \
	long f##n(long x)                       \
	{                                       \
		table[n % 61] += x;                 \
		other[n % 59] ^= table[n % 53] + n; \
		return other[n % 59];               \
	}
#define TEN(n) \
	ONE(n##0)  \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) \
	TEN(n##0)      \
	TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

HUNDRED(1)
HUNDRED(2)
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
HUNDRED(6)
HUNDRED(7)
HUNDRED(8)
HUNDRED(9)

#undef ONE
#define ONE(n) f##n,

static long (*const all[])(long) = { HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5)
			HUNDRED(6) HUNDRED(7) HUNDRED(8) HUNDRED(9) };

#define ALL (sizeof all / sizeof *all)

static void work(const char *what)
{
	long sum = 0;

	for (size_t i = 0; i < ALL; i++)
		sum += all[i]((long)i);
	printf("%s: %ld\n", what, sum);
}

/* The whole pages of these functions. */
static char *first_page(void)
{
	return (char *)(((uintptr_t)all[0] + PAGE - 1) & -(uintptr_t)PAGE);
}

static size_t page_count(void)
{
	return ((uintptr_t)all[ALL - 1] - (uintptr_t)first_page()) / PAGE;
}

/* Stores a constant that the program changes in place. */
long constant(void);
extern char constant_at[];
long stored;

__asm__(".text\n"
		".globl constant\n"
		".type constant,@function\n"
		"constant: .cfi_startproc\n"
		"	movl $1, stored(%rip)\n"
		".globl constant_at\n"
		"constant_at:\n"
		"	mov stored(%rip), %rax\n"
		"	ret\n"
		"	.cfi_endproc\n"
		".size constant,.-constant\n");

static void set_rights(int rights)
{
	mprotect((char *)((uintptr_t)(constant_at - 4) & -(uintptr_t)PAGE), 2 * PAGE, rights);
}

__attribute__((noinline)) static void edit(int number, int rights)
{
	set_rights(RW | PROT_EXEC);
	constant_at[-4] = (char)number;
	set_rights(rights);
}

#define APART __attribute__((unused, noinline, section("apart"), aligned(PAGE)))

typedef void *copier(void *to, const void *from, size_t size);

__attribute__((unused)) static void *copy_at_once(void *to, const void *from, size_t size)
{
	void *start = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
	return start;
}

/* As programs do that want their text on large pages: by anonymous memory in its place. */
APART static void *move_to(char *text, size_t size, copier *copy)
{
	char *aside = mmap(NULL, size, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	copy(aside, text, size);
	mmap(text, size, RW | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	copy(text, aside, size);
	munmap(aside, size);
	return mprotect(text, size, RX) ? NULL : text;
}

/* The copy is made first, and comes in the place of the text by one call. */
APART static void *move_over(char *text, size_t size, copier *copy)
{
	char *aside = mmap(NULL, size, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	copy(aside, text, size);
	mprotect(aside, size, RX);
	return mremap(aside, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, text);
}
