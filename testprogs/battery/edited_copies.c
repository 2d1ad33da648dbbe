/* flags: -O1 -Wl,--build-id */
/* Copies of a file, of one size, build-id and time, that differ in a byte of their code. */
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

static pid_t copy_run(const char *folder, int number, char *path, size_t room)
{
	static const struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	size_t size = image_read((uint8_t)(3 + number));
	pid_t child;
	int to;

	snprintf(path, room, "%s/%d", folder, number);
	to = open(path, O_WRONLY | O_CREAT, 0755);
	if (to < 0 || write(to, image, size) != (ssize_t)size || futimens(to, times) || close(to))
		abort();
	if (posix_spawn(&child, path, NULL, NULL, (char *[]){ path, "count", NULL }, environ))
		abort();
	return child;
}

int main(int words, char **word)
{
	char folder[] = "/tmp/copies-XXXXXX", path[64];

	(void)word;
	if (words > 1)
		return count();
	if (!mkdtemp(folder))
		return 1;
	for (int i = 0; i < 3; i++) {
		waitpid(copy_run(folder, i, path, sizeof path), NULL, 0);
		unlink(path);
	}
	return rmdir(folder);
}
