/*
 * What the decoder keeps of instructions must give what Zydis gives: at every byte of the
 * executable parts of each file named, whether an instruction was meant to begin there or not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "elf/text.h"

static unsigned failures;
static unsigned long compared, heads;

static bool sites_agree(const struct site *left, const struct site *right)
{
	return memcmp(&left->entry, &right->entry, sizeof left->entry) == 0
			&& memcmp(left->operands, right->operands,
					   left->entry.operands * sizeof *left->operands)
			== 0;
}

static bool references_agree(const struct reference *left, const struct reference *right)
{
	return left->bytes == right->bytes
			&& (!left->bytes
					|| (left->address == right->address && left->names_only == right->names_only));
}

static bool agree(const struct instruction *left, const struct instruction *right)
{
	return memcmp(&left->insn, &right->insn, sizeof left->insn) == 0
			&& sites_agree(&left->site, &right->site)
			&& references_agree(&left->reference, &right->reference)
			&& left->listed == right->listed && left->locked == right->locked
			&& left->blank == right->blank && left->frame == right->frame;
}

static void byte_check(struct decoder *decoder, const struct text_area *area, uint64_t address,
		const char *path)
{
	static struct instruction read, asked;
	struct decoded decoded;
	const uint8_t *bytes = area->bytes + (address - area->start);
	size_t available = area->end - address;
	memset(&read, 0x5a, sizeof read);
	bool is_read = decoder_read(decoder, bytes, available, address, &read);
	bool is_asked = decoder_ask(decoder, bytes, available, address, &decoded, &asked);
	compared += is_asked;
	if (is_read != is_asked || (is_read && !agree(&read, &asked)))
		if (failures++ < 20)
			fprintf(stderr, "%s: 0x%llx: not what Zydis says\n", path, (unsigned long long)address);
}

static void file_check(const char *path)
{
	char message[300];
	struct failure failure = { path, message, sizeof message };
	struct elf_file file;
	struct text text = { .count = 0 };
	struct decoder decoder;
	if (elf_file_open(&file, path, &failure) || text_read(&text, &file)
			|| !decoder_make(&decoder)) {
		fprintf(stderr, "%s\n", message);
		exit(1);
	}
	for (uint32_t i = 0; i < text.count; i++)
		for (uint64_t at = text.areas[i].start; at < text.areas[i].end; at++)
			byte_check(&decoder, &text.areas[i], at, path);
	heads += decoder.count;
	decoder_free(&decoder);
	text_free(&text);
	elf_file_close(&file);
}

int main(int count, char **paths)
{
	for (int i = 1; i < count; i++)
		file_check(paths[i]);
	if (failures || !compared) {
		fprintf(stderr, "check_decoder: %u of %lu instructions differ\n", failures, compared);
		return 1;
	}
	printf("check_decoder: %lu instructions are what Zydis says, of %lu heads kept\n", compared,
			heads);
	return 0;
}
