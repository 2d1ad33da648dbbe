/* flags: -O1 */
/* Memory of another process, and the own one by the back door: process_vm_readv, /proc/PID/mem. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char global[5000] = "global";
static const char constant[] = "constant";

static ssize_t copy(pid_t from, void *to, const void *at, size_t bytes, int write)
{
	struct iovec local[2] = { { to, bytes / 2 }, { (char *)to + bytes / 2, bytes - bytes / 2 } };
	struct iovec remote = { (void *)at, bytes };

	return (write ? process_vm_writev : process_vm_readv)(from, local, 2, &remote, 1, 0);
}

int main(void)
{
	char *heap = malloc(9000), buffer[9000], stack[100] = "stack";
	int ends[2], file;
	ssize_t got;
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	strcpy(heap, "heap"), pipe(ends);
	child = fork();
	if (child == 0) {
		strcpy(heap, "child's heap"), strcpy(global, "child's global");
		write(ends[1], "r", 1);
		pause();
	}
	read(ends[0], buffer, 1);
	got = copy(child, (char[]){ "written by me" }, stack, 14, 1);
	printf("write %zd", got);
	got = copy(child, buffer, stack, 14, 0);
	printf(" %zd %s, here %s\n", got, buffer, stack);
	got = copy(child, buffer, (void *)8, 100, 0);
	printf("nowhere %zd %d\n", got, errno == EFAULT);
	got = copy(getpid(), heap + 100, global, 7, 0);
	printf("own %zd %s\n", got, heap + 100);
	kill(child, SIGKILL), waitpid(child, NULL, 0);
	got = copy(child, buffer, heap, 10, 0);
	printf("dead %zd %d\n", got, errno == ESRCH);
	file = open("/proc/self/mem", O_RDWR);
	got = pread(file, buffer, 7, (off_t)(size_t)global);
	printf("mem %zd %.7s", got, buffer);
	got = pwrite(file, "CONSTANT", 8, (off_t)(size_t)constant);
	printf(" %zd %s\n", got, *(const char *volatile *)&(const char *){ constant });
	return 0;
}
