/* The beginning and the end of a pass, and its room. */
#include "pass.h"

#include "madt_layout.h"

/* The last record of a frame is whole: more words than one has. */
#define LAST_WORDS 96
/* Control bytes of a record at most: one, and three numbers of up to five. */
#define MOST_CONTROL 16

bool pass_reserve(struct encoder *encoder, size_t chunked, uint64_t most)
{
	size_t words;

	if (encoder->shared[MADT_ENCODER_SAMPLES]) /* behind each record, how many were skipped */
		chunked *= 1 + TIMES_WORDS;
	words = chunked;
	if (encoder->derives) {
		uint64_t wanted = most < SIZE_MAX / 2 ? most + LAST_WORDS : most;
		words = chunked * MOST_DERIVED < wanted ? chunked * MOST_DERIVED : (size_t)wanted;
		words = words > chunked ? words : chunked;
	}
	return column_reserve(&encoder->kinds, chunked) && column_reserve(&encoder->codes, words)
			&& column_reserve(&encoder->control, MOST_CONTROL * chunked)
			&& column_reserve(&encoder->residuals, 8 * words + 8);
}

struct pass pass_begin(const struct encoder *encoder, const uint64_t *words)
{
	return (struct pass){ words, encoder->residuals.end, encoder->kinds.end, encoder->codes.end,
		encoder->near, encoder->moved };
}

void pass_leave(struct encoder *encoder, const struct pass *pass)
{
	encoder->near = pass->near;
	encoder->moved = pass->moved;
	encoder->residuals.end = pass->residuals;
	encoder->kinds.end = pass->kinds;
	encoder->codes.end = pass->codes;
}
