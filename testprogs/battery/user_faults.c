/* flags: -O1 -pthread */
/* Pages that a thread fills when others first touch them, by userfaultfd where that is permitted. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul
#define PAGES 16
#define MISSING (PAGES - 1) /* all but the first */

static int faults, served, wrong;
static char *area;

static void *serve(void *unused)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffd_msg message;

	while (read(faults, &message, sizeof message) == sizeof message) {
		uint64_t at = message.arg.pagefault.address & -PAGE;
		struct uffdio_copy copy = { .dst = at, .src = (uintptr_t)page, .len = PAGE };

		memset(page, (int)('A' + (at - (uintptr_t)area) / PAGE), PAGE);
		wrong += message.event != UFFD_EVENT_PAGEFAULT;
		ioctl(faults, UFFDIO_COPY, &copy);
		if (++served == MISSING)
			break;
	}
	return unused;
}

static void *touch(void *from)
{
	long sum = 0;

	for (long i = (long)from; i < PAGES; i += 2)
		sum += ((volatile char *)area)[i * (long)PAGE + 17];
	return (void *)sum;
}

int main(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t server, users[2];
	void *sums[2];

	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api)) {
		puts("not permitted");
		return 0;
	}
	area = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area[17] = 1;
	range.range.start = (uintptr_t)area, range.range.len = PAGES * PAGE;
	printf("registered %d\n", ioctl(faults, UFFDIO_REGISTER, &range));
	pthread_create(&server, NULL, serve, NULL);
	for (long i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, touch, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], &sums[i]);
	pthread_join(server, NULL);
	printf("sums %ld %ld, served %d, wrong %d\n", (long)sums[0], (long)sums[1], served, wrong);
	return 0;
}
