/* flags: -O1 -Wl,--build-id */
/* A file is edited in place between two runs, keeps its times, and is what it was again at last. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edited.h"

extern char **environ;

static void image_write(const char *path, uint8_t constant)
{
	size_t size = image_read(constant);
	int to = open(path, O_WRONLY | O_CREAT, 0755);
	struct stat before;

	fstat(to, &before);
	if (write(to, image, size) != (ssize_t)size)
		abort();
	futimens(to, (struct timespec[]){ before.st_atim, before.st_mtim });
	close(to);
}

static void run(const char *path)
{
	pid_t child;

	if (posix_spawn(&child, path, NULL, NULL, (char *[]){ (char *)path, "count", NULL }, environ))
		abort();
	waitpid(child, NULL, 0);
}

int main(int words, char **word)
{
	char folder[] = "/tmp/edited-XXXXXX", path[64];

	(void)word;
	if (words > 1)
		return count();
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/copy", folder);
	for (int i = 0; i < 3; i++) {
		image_write(path, i == 1 ? 9 : 7);
		run(path);
	}
	unlink(path);
	return rmdir(folder);
}
