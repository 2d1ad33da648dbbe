/* What the collector has said of words that stand for code in records and events. */
#include "encode_records.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_WORDS 256u

static struct code_word *word_find(const struct code_words *words, uint64_t word)
{
	uint32_t at = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 32) & words->mask;

	while (words->word[at].known && words->word[at].word != word)
		at = (at + 1) & words->mask;
	return &words->word[at];
}

static bool words_grow(struct code_words *words)
{
	struct code_words larger = { .mask = words->mask ? 2 * words->mask + 1 : FIRST_WORDS - 1,
		.used = words->used };

	larger.word = calloc((size_t)larger.mask + 1, sizeof *larger.word);
	if (!larger.word)
		return false;
	for (uint32_t i = 0; words->mask && i <= words->mask; i++)
		if (words->word[i].known)
			*word_find(&larger, words->word[i].word) = words->word[i];
	free(words->word);
	*words = larger;
	return true;
}

const struct code_word *code_find(const struct encoder *encoder, uint64_t word)
{
	const struct code_word *found = encoder->words.mask ? word_find(&encoder->words, word) : NULL;

	return found && found->known ? found : NULL;
}

int madt_encoder_code(struct encoder *encoder, uint64_t word, uint64_t code, int allocates)
{
	struct code_words *words = &encoder->words;
	struct code_word *found;

	if (words->used >= words->mask / 2 && !words_grow(words))
		return ENOMEM;
	found = word_find(words, word);
	words->used += !found->known;
	*found = (struct code_word){ word, code, true, allocates || found->allocates };
	return 0;
}

void madt_encoder_forget_codes(struct encoder *encoder)
{
	free(encoder->words.word);
	encoder->words = (struct code_words){ 0 };
}
