/* Writes into the last words of all chunks that it is recorded into, while it allocates and stores
 * far more than the buffer and the ring hold. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "madt_layout.h"

#define WORDS 7

static int buffer_open(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024], *path;
	int buffer = -1;

	while (buffer < 0 && fgets(line, sizeof line, maps)) {
		line[strcspn(line, "\n")] = 0;
		path = strchr(line, '/');
		if (path && strstr(path, "/madt-") && strstr(path, "/session"))
			buffer = open(path, O_WRONLY);
	}
	fclose(maps);
	return buffer;
}

static int overwrite(int buffer)
{
	uint64_t junk[WORDS];

	for (int i = 0; i < WORDS; i++)
		junk[i] = 42;
	for (unsigned chunk = 0; chunk < MADT_FIRST_BUFFER_CHUNKS; chunk++)
		if (pwrite(buffer, junk, sizeof junk,
					(off_t)(MADT_AREA(0) + MADT_BUFFERS_AT + MADT_PAGE + chunk * MADT_CHUNK_STRIDE
							+ MADT_CHUNK_BYTES - sizeof junk))
				< 0)
			return 0;
	return 1;
}

int main(void)
{
	int buffer = buffer_open();
	unsigned sum = 0;

	for (unsigned i = 0; i < 3 * MADT_RING_SLOTS; i++) {
		volatile unsigned char *block = malloc(100);
		if (buffer >= 0 && i % 1024 == 0 && !overwrite(buffer))
			return 1;
		for (int k = 0; k < 20; k++)
			block[k] = (unsigned char)i;
		sum += block[i % 20];
		free((void *)block);
	}
	printf("%u\n", sum);
	return 5;
}
