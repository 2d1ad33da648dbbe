/*
 * Damaged programs and code maps: cut, bytes changed. Building may succeed on what is still sound, checking must refuse what differs from the
 * original; neither may crash. code_malformed PROGRAM: prints the counts.
 */
#include "../code/madtcode.h"

#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_file(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	char *data;

	if (!stream)
		err(1, "%s", path);
	fseek(stream, 0, SEEK_END);
	*size = (size_t)ftell(stream);
	rewind(stream);
	data = malloc(*size);
	if (!data || fread(data, 1, *size, stream) != *size)
		err(1, "%s", path);
	fclose(stream);
	return data;
}

static void write_file(const char *path, const char *data, size_t size)
{
	FILE *stream = fopen(path, "wb");

	if (!stream || fwrite(data, 1, size, stream) != size || fclose(stream))
		err(1, "%s", path);
}

static uint32_t next_random(void)
{
	static uint32_t state = 20261121;

	state ^= state << 13;
	state ^= state >> 17;
	return state ^= state << 5;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/madt-malformed-XXXXXX", elf[64], map[64], error[512];
	size_t elf_size, map_size;
	char *elf_data, *map_data, *copy;
	int refused = 0, built = 0, maps_refused = 0, silent = 0;

	if (argc != 2 || !mkdtemp(folder))
		errx(1, "usage: code_malformed PROGRAM");
	snprintf(elf, sizeof elf, "%s/elf", folder);
	snprintf(map, sizeof map, "%s/map", folder);
	if (madtcode_build(argv[1], map, error, sizeof error))
		errx(1, "%s", error);
	elf_data = read_file(argv[1], &elf_size);
	map_data = read_file(map, &map_size);
	copy = malloc(elf_size > map_size ? elf_size : map_size);
	for (int i = 0; i < 400 && copy; i++) {
		size_t size = i % 4 ? elf_size : next_random() % elf_size;

		memcpy(copy, elf_data, elf_size);
		for (int flips = 0; i % 4 && flips < 1 + i % 16; flips++)
			copy[next_random() % (i % 2 ? 1024 : elf_size)] ^= (char)(1u << next_random() % 8);
		write_file(elf, copy, size);
		error[0] = 0;
		if (madtcode_build(elf, map, error, sizeof error)) {
			refused++;
			silent += !error[0];
		} else {
			built++;
			if (madtcode_check(map, NULL, 0, error, sizeof error))
				errx(1, "a map that was just made is refused: %s", error);
		}
	}
	for (int i = 0; i < 400 && copy; i++) {
		size_t size = i % 4 ? map_size : next_random() % map_size;

		memcpy(copy, map_data, map_size);
		/* in the head only magic, version and sizes can be judged: its counters are covered by nothing */
		if (i % 4)
			copy[i % 2 ? next_random() % 24 : 128 + next_random() % (map_size - 128)] ^=
				(char)(1u << next_random() % 8);
		write_file(map, copy, size);
		error[0] = 0;
		maps_refused += madtcode_check(map, NULL, 0, error, sizeof error) != 0 && error[0];
	}
	unlink(elf);
	unlink(map);
	rmdir(folder);
	printf("programs: %d refused, %d built, %d refused without a text; maps: %d of 400 refused\n", refused, built, silent,
		maps_refused);
	return silent || refused < 50 || maps_refused < 400;
}
