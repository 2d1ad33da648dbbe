/*
 * Makes three functions as it runs, and tells perf of them in /tmp/perf-PID.map, or in a jitdump
 * file if there is an argument: one calls a function that allocates, one stores into a block, and
 * one is at work for most of the time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CODE_BYTES 8192
#define NANOS 1000000000l /* of processor time */
#define LOAD 0

static const unsigned char calls[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d,
	0xc3 }; /* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char stores[] = { 0xc7, 0x07, 0x2a, 0, 0, 0,
	0xc3 }; /* movl $42,(%rdi); ret */
static const unsigned char spins[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb,
	0xc3 }; /* 1: dec %rdi; jnz 1b; ret */

struct made {
	const char *name;
	const unsigned char *code;
	uint32_t size, at;
};

static const struct made made[] = { { "made:calls", calls, sizeof calls, 64 },
	{ "made:stores /a file.js:7", stores, sizeof stores, 128 },
	{ "made:spins", spins, sizeof spins, 4096 } };

struct dump_header {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time, flags;
};

struct dump_load {
	uint32_t kind, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, address, code_size, number;
};

static void tell_map(const unsigned char *code)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "w");
	for (size_t i = 0; file && i < sizeof made / sizeof *made; i++)
		fprintf(file, "%lx %x %s\n", (long)(code + made[i].at), made[i].size, made[i].name);
	if (file)
		fclose(file);
}

/* The mapping says to perf which file it is. */
static void tell_dump(const unsigned char *code)
{
	const struct dump_header header = { 0x4a695444, 1, sizeof header, 62, 0, (uint32_t)getpid(), 0,
		0 };
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
	file = fopen(path, "w+");
	if (!file)
		return;
	fwrite(&header, sizeof header, 1, file);
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		const uint32_t name = (uint32_t)strlen(made[i].name) + 1;
		const struct dump_load load = { LOAD, (uint32_t)sizeof load + name + made[i].size, 0,
			(uint32_t)getpid(), (uint32_t)getpid(), (uintptr_t)(code + made[i].at),
			(uintptr_t)(code + made[i].at), made[i].size, i };

		fwrite(&load, sizeof load, 1, file);
		fwrite(made[i].name, name, 1, file);
		fwrite(made[i].code, made[i].size, 1, file);
	}
	fflush(file);
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(file), 0);
}

static void *allocate(void)
{
	return calloc(4, sizeof(int));
}

static long used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000l + time.tv_nsec;
}

int main(int count, char **arguments)
{
	unsigned char *code = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *(*call)(void *(*)(void));
	void (*store)(int *);
	void (*spin)(long);
	unsigned char *address;
	int *block;

	(void)arguments;
	if (code == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		memcpy(code + made[i].at, made[i].code, made[i].size);
	mprotect(code, CODE_BYTES, PROT_READ | PROT_EXEC);
	(count > 1 ? tell_dump : tell_map)(code);
	memcpy(&call, (address = code + made[0].at, &address), sizeof call);
	memcpy(&store, (address = code + made[1].at, &address), sizeof store);
	memcpy(&spin, (address = code + made[2].at, &address), sizeof spin);
	block = call(allocate);
	store(&block[2]);
	printf("%d\n", block[2]);
	for (long until = used() + NANOS; count == 1 && used() < until;)
		spin(1000000);
	return block[2] == 42 ? 0 : 1;
}
