/* A thread's state: where its words go. */
#ifndef MADT_SESSION_PART_H
#define MADT_SESSION_PART_H

#include "base/base.h"

struct session_part {
	uint64_t *chunk; /* words of the chunk that this thread owns, or NULL */
	struct madt_chunk_state *chunk_state;
	uint32_t position; /* next free word in it; with engine splice while `led` is not set */
	bool silent;       /* in an interposed function: accesses are not recorded */
	bool pausing;      /* what it waits for MadT is part of a longer pause, told at its end */
	bool led;          /* engine splice: the block's first word leads into the chunk */
	bool idle;         /* likewise: into the sink of the time when nothing is recorded */
	bool counting;     /* its counts are its own */
	uint32_t counts;   /* 1 + the number of these at MADT_COUNTS_AT, or 0 */
};

#endif
