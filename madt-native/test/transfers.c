/*
 * Everything that fills memory by input and output: each into a row of its own that is zero before
 * and that nothing else stores to. Prints on stderr what it finds there, for match_transfers.awk:
 *
 *   exact NAME ADDRESS ROOM LENGTH     stored are the first LENGTH bytes of the row, and no others
 *   changed NAME ADDRESS LENGTH        these bytes are no longer zero
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#define ROOM 16384
#define ROWS 64

extern size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
extern size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
extern char *__fgets_chk(char *, size_t, int, FILE *);
extern char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
extern ssize_t __read_chk(int, void *, size_t, size_t);
extern ssize_t __getdelim(char **, size_t *, int, FILE *);

static char area[ROWS][ROOM] __attribute__((aligned(4096)));
static struct {
	const char *name;
	char *at;
	long exact; /* bytes, or -1: whatever changed */
} rows[ROWS];
static int used;

static char *row(const char *name, long exact)
{
	rows[used].name = name;
	rows[used].exact = exact;
	rows[used].at = area[used];
	return area[used++];
}

/* A file of these bytes, to be read from its start; without a name. */
static int file_of(const void *bytes, size_t n)
{
	int fd = memfd_create("bytes", 0);

	if (write(fd, bytes, n) != (ssize_t)n)
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static FILE *stream_of(const void *bytes, size_t n)
{
	return fdopen(file_of(bytes, n), "r+");
}

/* Returns a stream of what comes in pieces, each of which is one read. */
static FILE *pipe_of(const char *first, size_t m, const char *second, size_t n)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) || send(ends[1], first, m, 0) < 0
			|| send(ends[1], second, n, 0) < 0)
		abort();
	close(ends[1]);
	return fdopen(ends[0], "r");
}

static void expect(const char *what, long got, long wanted)
{
	printf("%s %ld\n", what, got);
	if (got != wanted)
		printf("%s: %ld wanted\n", what, wanted);
}

static void items(void)
{
	FILE *f = stream_of("abc", 3);

	expect("fread", (long)fread(row("fread of a part of an item", 3), 4, 1, f), 0);
	rewind(f);
	expect("fread_unlocked", (long)(fread_unlocked)(row("fread_unlocked of a part", 3), 4, 1, f),
			0);
	rewind(f);
	expect("__fread_chk", (long)__fread_chk(row("__fread_chk of a part", 3), ROOM, 2, 2, f), 1);
	rewind(f);
	expect("__fread_unlocked_chk",
			(long)__fread_unlocked_chk(row("__fread_unlocked_chk of a part", 3), ROOM, 2, 2, f), 1);
	rewind(f);
	expect("fread of nothing", (long)fread(row("fread of nothing", 0), 0, 7, f), 0);
	fclose(f);
}

static void lines(void)
{
	static const char text[] = "one\0two\nthree\0";
	char *(*fgets_is)(char *, int, FILE *) = fgets_unlocked;
	static char filler[6000];
	FILE *f = stream_of(text, 14);

	expect("fgets", fgets(row("fgets with a NUL", 9), 100, f) != NULL, 1);
	expect("fgets", fgets(row("fgets with a NUL at the end of the file", 7), 100, f) != NULL, 1);
	expect("fgets", fgets(row("fgets at the end of the file", 0), 100, f) != NULL, 0);
	rewind(f);
	expect("fgets", fgets(row("fgets of a part of a line", 6), 6, f) != NULL, 1);
	expect("fgets", fgets(row("fgets of one byte", 1), 1, f) != NULL, 1);
	ungetc('x', f);
	expect("fgets", fgets(row("fgets behind ungetc", 5), 100, f) != NULL, 1);
	rewind(f);
	expect("fgets_unlocked", fgets_is(row("fgets_unlocked", 9), 100, f) != NULL, 1);
	rewind(f);
	expect("__fgets_chk", __fgets_chk(row("__fgets_chk", 9), ROOM, 100, f) != NULL, 1);
	rewind(f);
	expect("__fgets_unlocked_chk",
			__fgets_unlocked_chk(row("__fgets_unlocked_chk", 9), ROOM, 100, f) != NULL, 1);
	fclose(f);
	memset(filler, 'z', sizeof filler);
	for (size_t i = 1000; i < sizeof filler; i += 1000)
		filler[i] = 0;
	f = stream_of(filler, sizeof filler);
	expect("fgets", fgets(row("fgets over several reads", 6001), ROOM, f) != NULL, 1);
	fclose(f);
	f = pipe_of(filler + 990, 20, filler + 1990, 20);
	expect("fgets", fgets(row("fgets of two messages", 41), 100, f) != NULL, 1);
	fclose(f);
}

static void conversions(void)
{
	FILE *f = stream_of("word 77 c\nline of wide\n", 23);
	char *words = row("fscanf", 5), *number = row("fscanf of a number", 4),
		 *c = row("fscanf of a character", 1), *p, *copy;
	wchar_t *wide = (wchar_t *)row("fgetws", 14 * sizeof(wchar_t));
	size_t n;

	expect("fscanf", fscanf(f, "%s %d %c\n", words, (int *)number, c), 3);
	fclose(f);
	f = stream_of("line of wide\n", 13);
	expect("fgetws", fgetws(wide, 100, f) != NULL, 1);
	fclose(f);
	f = stream_of("ab\0c\nd;e", 8);
	copy = malloc(200);
	memset(copy, 0, 200);
	p = copy;
	n = 200;
	expect("getline", getline(&p, &n, f), 5);
	expect("same block", p == copy, 1);
	expect("__getdelim", __getdelim(&p, &n, ';', f), 2);
	p = row("getc", 2);
	p[0] = (char)getc(f);
	p[1] = (char)(p[0] + 1);
	fclose(f);
	expect("snprintf", snprintf(row("snprintf", 13), ROOM, "%s-%d", "longer", 12345), 12);
	expect("sscanf", sscanf("xyz", "%2c", row("sscanf", 2)), 1);
}

static ssize_t cookie_read(void *cookie, char *to, size_t n)
{
	strcpy(cookie, "cookie");
	memset(to, 'k', n);
	return (ssize_t)n;
}

static void own_buffers(void)
{
	char *buffer = row("setvbuf's buffer", -1), *from, *text = NULL;
	FILE *f = stream_of("own buffer", 10);
	size_t n;

	setvbuf(f, buffer, _IOFBF, 4096);
	expect("fread", (long)fread(row("fread by a buffer of the program's", 3), 1, 3, f), 3);
	expect("fgets", fgets(row("fgets by a buffer of the program's", 8), 100, f) != NULL, 1);
	fclose(f);
	from = row("fwrite to fmemopen", -1);
	f = fmemopen(from, 100, "w");
	expect("fwrite", (long)fwrite("to memory", 3, 3, f), 3);
	expect("fputs", fputs(" and more", f) >= 0, 1);
	fclose(f);
	f = open_memstream(&text, &n);
	fwrite("stream", 1, 6, f);
	fclose(f);
	expect("open_memstream", (long)n, 6);
	f = fopencookie(row("a cookie's function", -1), "r",
			(cookie_io_functions_t){ .read = cookie_read });
	expect("fread", (long)fread(row("fread from a cookie", 5), 1, 5, f), 5);
	fclose(f);
}

static void descriptors(void)
{
	int fd = file_of("0123456789", 10), other = file_of("", 0), ends[2];
	struct iovec vector[] = { { row("readv, first", 3), 3 }, { row("readv, second", 7), 100 } };
	struct iovec one = { row("preadv", 4), 4 };
	off64_t *offset = (off64_t *)row("sendfile's offset", -1),
			*in = (off64_t *)row("splice's offset", -1);

	expect("readv", readv(fd, vector, 2), 10);
	expect("preadv", preadv(fd, &one, 1, 6), 4);
	expect("pread", pread(fd, row("pread", 2), 100, 8), 2);
	lseek(fd, 0, SEEK_SET);
	expect("read", read(fd, row("read", 10), 100), 10);
	expect("read", read(fd, row("read at the end", 0), 100), 0);
	lseek(fd, 7, SEEK_SET);
	expect("__read_chk", __read_chk(fd, row("__read_chk", 3), 100, ROOM), 3);
	expect("sendfile", sendfile(other, fd, (off_t *)offset, 5), 5);
	if (pipe(ends))
		abort();
	expect("splice", splice(fd, in, ends[1], NULL, 6, 0), 6);
	expect("read", read(ends[0], row("read from a pipe", 6), 100), 6);
	close(fd);
	close(other);
	fd = open("/proc/self/fdinfo", O_RDONLY | O_DIRECTORY);
	expect("getdents64", syscall(SYS_getdents64, fd, row("getdents64", -1), ROOM) > 0, 1);
	close(fd);
	expect("readlink", readlink("/proc/self/exe", row("readlink", -1), 5), 5);
}

static void sockets(void)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} out = { 0 };
	struct iovec from = { "hello, message", 14 }, to = { row("recvmsg", 9), 9 };
	struct msghdr message = {
		.msg_iov = &from, .msg_iovlen = 1, .msg_control = &out, .msg_controllen = sizeof out
	};
	struct msghdr *got = (struct msghdr *)row("recvmsg's header", -1);
	struct mmsghdr *two = (struct mmsghdr *)row("recvmmsg's headers", -1);
	struct iovec parts[2] = { { row("recvmmsg, first", 5), 100 },
		{ row("recvmmsg, second", 6), 100 } };
	int ends[2], zero = 0;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
		abort();
	out.head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof zero), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS
	};
	memcpy(CMSG_DATA(&out.head), &zero, sizeof zero);
	expect("sendmsg", sendmsg(ends[0], &message, 0), 14);
	*got = (struct msghdr){ .msg_iov = &to,
		.msg_iovlen = 1,
		.msg_control = row("recvmsg's control", -1),
		.msg_controllen = sizeof out };
	expect("recvmsg", recvmsg(ends[1], got, 0), 9);
	send(ends[0], "a long message", 14, 0);
	expect("recv", recv(ends[1], row("recv of a part", 4), 4, MSG_TRUNC), 14);
	send(ends[0], "another one", 11, 0);
	expect("recvfrom", recvfrom(ends[1], row("recvfrom of a part", 7), 7, MSG_TRUNC, NULL, NULL),
			11);
	send(ends[0], "first", 5, 0);
	send(ends[0], "second", 6, 0);
	two[0].msg_hdr = (struct msghdr){ .msg_iov = &parts[0], .msg_iovlen = 1 };
	two[1].msg_hdr = (struct msghdr){ .msg_iov = &parts[1], .msg_iovlen = 1 };
	expect("recvmmsg", recvmmsg(ends[1], two, 2, 0, NULL), 2);
	send(ends[0], "last", 4, 0);
	expect("recvfrom", recvfrom(ends[1], row("recvfrom", 4), 100, 0, NULL, NULL), 4);
}

static void tell_changes(const char *name, const char *at)
{
	for (size_t i = 0; i < ROOM; i++) {
		size_t from = i;

		while (i < ROOM && at[i])
			i++;
		if (i > from)
			fprintf(stderr, "changed %p %zu %s\n", (const void *)(at + from), i - from, name);
	}
}

int main(void)
{
	items();
	lines();
	conversions();
	own_buffers();
	descriptors();
	sockets();
	for (int i = 0; i < used; i++)
		if (rows[i].exact < 0)
			tell_changes(rows[i].name, rows[i].at);
		else
			fprintf(stderr, "exact %p %d %ld %s\n", (void *)rows[i].at, ROOM, rows[i].exact,
					rows[i].name);
	return 0;
}
