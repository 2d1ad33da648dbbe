/* Probes that the tests of the shim have, by what they call them. */
#ifndef MADT_RECORDER_PROBES_H
#define MADT_RECORDER_PROBES_H

#include "../analyser/madtcode.h"

#define WORDS_MAX 16
#define PROBES_MAX 8
#define TEXT(i)                                           \
	{                                                     \
		.kind = MADT_PAYLOAD_TEXT, .place = 7, .piece = i \
	}

/* Their ranges are what it says, or everything for accesses. */
static const struct {
	const char *name;
	struct madtcode_probe probes[PROBES_MAX];
	struct madtcode_word words[WORDS_MAX];
} probes[] = {
	/* what rdi holds, what that leads to, and what that does; the last one is the counter */
	{ "cells",
			{ { .kind = MADT_PROBE_ACCESS }, { .kind = MADT_PROBE_ENTER, .words = 5 },
					{ .kind = MADT_PROBE_BLOCK } },
			{ { .kind = MADT_PAYLOAD_TIME }, { .kind = MADT_PAYLOAD_VALUE, .place = 7 },
					{ .kind = MADT_PAYLOAD_MEMORY, .place = 7, .loads = 1 },
					{ .kind = MADT_PAYLOAD_MEMORY,
							.place = 7,
							.loads = 2,
							.displacement = { 0, 8 } },
					{ .kind = MADT_PAYLOAD_COUNTER, .place = 5 } } },
	/* the text at rdi, of up to 63 bytes */
	{ "texts", { { .kind = MADT_PROBE_ENTER, .words = 10 } },
			{ { .kind = MADT_PAYLOAD_ADDRESS, .place = 7 }, TEXT(0), TEXT(1), TEXT(2), TEXT(3),
					TEXT(4), TEXT(5), TEXT(6), TEXT(7), TEXT(8) } },
	/* what a function in libmadt.so answers; everywhere, and the counter too */
	{ "calls",
			{ { .kind = MADT_PROBE_ACCESS }, { .kind = MADT_PROBE_ENTER, .words = 1 },
					{ .kind = MADT_PROBE_LEAVE, .words = 1 },
					{ .kind = MADT_PROBE_BLOCK, .words = 2 },
					{ .kind = MADT_PROBE_BLOCK_END, .word = 2, .words = 2 },
					{ .kind = MADT_PROBE_INSTRUCTION, .words = 2 },
					{ .kind = MADT_PROBE_INSTRUCTION, .after = 1, .words = 1 },
					{ .kind = MADT_PROBE_SYSTEM_CALL, .words = 1 } },
			{ { .kind = MADT_PAYLOAD_ANSWER, .place = MADT_CALL_STATE },
					{ .kind = MADT_PAYLOAD_COUNTER, .place = 1 }, { .kind = MADT_PAYLOAD_TIME },
					{ .kind = MADT_PAYLOAD_ANSWER, .place = MADT_CALL_STATE } } },
	/* the same, at fewer places */
	{ "ends",
			{ { .kind = MADT_PROBE_ACCESS }, { .kind = MADT_PROBE_ENTER, .words = 2 },
					{ .kind = MADT_PROBE_LEAVE, .words = 1 },
					{ .kind = MADT_PROBE_BLOCK_END, .words = 1 } },
			{ { .kind = MADT_PAYLOAD_ANSWER, .place = MADT_CALL_STATE },
					{ .kind = MADT_PAYLOAD_TEXT, .place = 7 } } },
	/* numbers of system calls */
	{ "systems", { { .kind = MADT_PROBE_SYSTEM_CALL, .words = 1 } },
			{ { .kind = MADT_PAYLOAD_VALUE, .place = 0 } } },
};

#endif
