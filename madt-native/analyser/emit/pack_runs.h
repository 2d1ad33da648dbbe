/* Runs and their words as madt_runs.h has them, while they are made. */
#ifndef MADT_PACK_RUNS_H
#define MADT_PACK_RUNS_H

#include "madt_runs.h"
#include "base/pack.h"

struct run_pack {
	uint8_t *runs;
	size_t count;
	size_t capacity;
	struct madt_plan_block *index; /* `before`: where the block begins in the packed words */
	size_t blocks;
	size_t index_capacity;
	uint8_t *bytes; /* of the packed words */
	size_t size;
	size_t bytes_capacity;
	uint32_t address; /* of the last one */
	uint32_t words;   /* of all runs */
	/* of the run at hand, from run_open on until the next one */
	struct madt_plan_word word[MADT_PLAN_RUN_WORDS];
	unsigned added;
	bool full; /* no memory: nothing was added since */
};

/* Begins a run without words. Returns the number that it will have. */
uint32_t run_open(struct run_pack *pack);
void word_add(struct run_pack *pack, const struct madt_plan_word *word);
/* The run at hand, of whose words so many are stored, and its whole form if that are not all. */
void run_close(struct run_pack *pack, unsigned stored);

void runs_write(const struct run_pack *pack, struct file_stream *stream, struct madt_plan *header);
void run_pack_free(struct run_pack *pack);

#endif
