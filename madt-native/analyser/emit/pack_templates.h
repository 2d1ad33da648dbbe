/* Templates and their words as madt_templates.h has them, while they are made. */
#ifndef MADT_PACK_TEMPLATES_H
#define MADT_PACK_TEMPLATES_H

#include "madt_templates.h"
#include "base/pack.h"

struct template_pack {
	uint8_t *templates;
	size_t count;
	size_t capacity;
	struct madt_plan_block *index; /* `before`: where the block begins in the packed words */
	size_t blocks;
	size_t index_capacity;
	uint8_t *bytes; /* of the packed words */
	size_t size;
	size_t bytes_capacity;
	uint32_t address; /* of the last one */
	uint32_t words;   /* of all templates */
	/* of the template at hand, from template_open on until the next one */
	struct madt_plan_word word[MADT_PLAN_TEMPLATE_WORDS];
	unsigned added;
	bool full; /* no memory: nothing was added since */
};

/* Begins a template without words. Returns the number that it will have. */
uint32_t template_open(struct template_pack *pack);
void word_add(struct template_pack *pack, const struct madt_plan_word *word);
/*
 * The template at hand, of whose words so many are stored, and its whole form if that are not all.
 */
void template_close(struct template_pack *pack, unsigned stored);

void templates_write(const struct template_pack *pack, struct file_stream *stream,
		struct madt_plan *header);
void template_pack_free(struct template_pack *pack);

#endif
