/* Code that is made and changed as it runs: functions in mapped memory, constants changed in place, two views of one page. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

typedef int function(int *at);

/* add dword ptr [rdi], constant; mov eax, [rdi]; ret */
static const uint8_t adds[] = { 0x81, 0x07, 0, 0, 0, 0, 0x8b, 0x07, 0xc3 };

static void make(uint8_t *at, int32_t constant)
{
	memcpy(at, adds, sizeof adds);
	memcpy(at + 2, &constant, sizeof constant);
}

static int call(void *at, int *value)
{
	function *volatile there = (function *)at;

	return there(value);
}

int main(void)
{
	uint8_t *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int value = 0, descriptor = memfd_create("code", 0);

	for (int32_t i = 1; i < 5; i++) {
		make(code, i * 10);
		printf("changed: %d\n", call(code, &value));
	}
	for (unsigned i = 0; i < 3; i++) {
		mprotect(code, PAGE, PROT_READ | PROT_WRITE);
		make(code + 16 * i, 1000 * (int)(i + 1));
		mprotect(code, PAGE, PROT_READ | PROT_EXEC);
		printf("protected: %d\n", call(code + 16 * i, &value));
	}
	if (ftruncate(descriptor, PAGE))
		return 1;
	uint8_t *view = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	uint8_t *runs = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, descriptor, 0);
	for (int32_t i = 0; i < 3; i++) {
		make(view, 100000 << i);
		printf("by another view: %d\n", call(runs, &value));
	}
	return 0;
}
