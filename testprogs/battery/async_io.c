/* flags: -O1 -pthread -lrt */
/* Reads and writes that the kernel or a thread does later: POSIX, native and by io_uring. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int file;

static void posix(void)
{
	static char out[8][1000], in[8][1000];
	struct aiocb blocks[8] = { 0 };
	const struct aiocb *list[1];
	long bad = 0;

	for (int i = 0; i < 8; i++) {
		memset(out[i], 'a' + i, 1000);
		blocks[i].aio_fildes = file, blocks[i].aio_buf = out[i];
		blocks[i].aio_nbytes = 1000, blocks[i].aio_offset = i * 1000;
		bad += aio_write(&blocks[i]) != 0;
	}
	for (int i = 0; i < 8; i++) {
		list[0] = &blocks[i];
		while (aio_error(&blocks[i]) == EINPROGRESS)
			aio_suspend(list, 1, NULL);
		bad += aio_return(&blocks[i]) != 1000;
		blocks[i].aio_buf = in[i];
	}
	struct aiocb *reads[8];
	for (int i = 0; i < 8; i++)
		reads[i] = &blocks[i], blocks[i].aio_lio_opcode = LIO_READ;
	bad += lio_listio(LIO_WAIT, reads, 8, NULL) != 0;
	printf("posix: bad %ld, same %d\n", bad, memcmp(in, out, sizeof in) == 0);
}

static void native(void)
{
	static char in[2][1000];
	struct iocb block[2] = { 0 }, *list[2] = { &block[0], &block[1] };
	struct io_event events[2];
	aio_context_t context = 0;
	long made = syscall(SYS_io_setup, 8, &context);

	if (made) {
		puts("native: none");
		return;
	}
	for (int i = 0; i < 2; i++) {
		block[i].aio_fildes = (uint32_t)file, block[i].aio_lio_opcode = IOCB_CMD_PREAD;
		block[i].aio_buf = (uintptr_t)in[i], block[i].aio_nbytes = 1000;
		block[i].aio_offset = (3 + i) * 1000, block[i].aio_data = (uint64_t)i;
	}
	printf("native: %ld", syscall(SYS_io_submit, context, 2, list));
	printf(" %ld", syscall(SYS_io_getevents, context, 2, 2, events, NULL));
	printf(" %lld %c %c\n", (long long)(events[0].res + events[1].res), in[0][999], in[1][0]);
	syscall(SYS_io_destroy, context);
}

static void ring(void)
{
	struct io_uring_params params = { 0 };
	int queue = (int)syscall(SYS_io_uring_setup, 4, &params);
	static char in[500];
	char *rings;
	struct io_uring_sqe *entries;
	struct io_uring_cqe *done;
	unsigned *tail;

	if (queue < 0) {
		puts("ring: none");
		return;
	}
	rings = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, queue, IORING_OFF_SQ_RING);
	entries = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, queue, IORING_OFF_SQES);
	entries[0] = (struct io_uring_sqe){ .opcode = IORING_OP_READ,
		.fd = file,
		.addr = (uintptr_t)in,
		.len = 500,
		.off = 6000,
		.user_data = 77 };
	((unsigned *)(rings + params.sq_off.array))[0] = 0;
	tail = (unsigned *)(rings + params.sq_off.tail);
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	printf("ring: %ld", syscall(SYS_io_uring_enter, queue, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0));
	done = (struct io_uring_cqe *)(rings + params.cq_off.cqes);
	printf(" %d %llu %c\n", done->res, (unsigned long long)done->user_data, in[499]);
	close(queue);
}

int main(void)
{
	file = memfd_create("io", 0);
	posix(), native(), ring();
	return 0;
}
