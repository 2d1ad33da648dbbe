/* System calls whose pointers hold pointers, or that few programs make, into memory of the heap. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TABLES_REPLACE 64 /* IPT_SO_SET_REPLACE */
#define XCOMP_SUPPORTED 0x1021
#define ALL 6
#define PAGE 4096

/* In pages of its own. */
static void *block(void)
{
	char *pages = aligned_alloc(PAGE, 4 * PAGE);

	memset(pages, 0, 4 * PAGE);
	return pages + PAGE;
}

static int features(void)
{
	uint64_t *words = block();

	for (int i = 0; i < ALL; i++) {
		long result = syscall(SYS_arch_prctl, XCOMP_SUPPORTED + i, words);
		/* where it is asked for by number, and what does not exist */
		printf("arch_prctl %d: %d, %d\n", i, result ? errno : 0, words[0] ? 1 : 0);
		words[0] = 0;
	}
	return 0;
}

static int filters(int descriptor)
{
	struct sock_fprog *program = block();
	struct sock_filter *code = block(), *back = block();
	socklen_t *length = block();

	code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0);
	code[1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
	program->len = 2;
	program->filter = code;
	int result = setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, program, sizeof *program);
	printf("attached: %d\n", result ? errno : 0);
	*length = 2;
	result = getsockopt(descriptor, SOL_SOCKET, SO_GET_FILTER, back, length);
	printf("there: %d, %u, %d\n", result ? errno : 0, *length,
			memcmp(back, code, 2 * sizeof *code));
	return 0;
}

static void tables(void)
{
	int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
	char *replace = block();

	strcpy(replace, "none");
	int result = setsockopt(descriptor, SOL_IP, TABLES_REPLACE, replace, PAGE);
	printf("tables: %d\n", result ? errno : 0);
}

int main(void)
{
	int pair[2];

	features();
	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	filters(pair[0]);
	tables();
	return 0;
}
