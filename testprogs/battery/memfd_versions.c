/* flags: -O1 -Wl,--build-id */
/* Versions of a program that are executed out of one file in memory, which has no path. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edited.h"

extern char **environ;
int main(int words, char **word)
{
	static const uint8_t constants[] = { 7, 9, 7 };

	(void)word;
	if (words > 1)
		return count();
	for (size_t i = 0; i < sizeof constants; i++) {
		int memory = memfd_create("version", MFD_CLOEXEC);
		size_t size = image_read(constants[i]);

		if (write(memory, image, size) != (ssize_t)size)
			return 1;
		fflush(stdout);
		if (fork() == 0) {
			char *arguments[] = { "version", "count", NULL };

			fexecve(memory, arguments, environ);
			_exit(99);
		}
		wait(NULL);
		close(memory);
	}
	return 0;
}
