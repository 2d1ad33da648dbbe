/* Runs of every kind: where something is unusual, or the encoder must ask. */
#include "pass.h"

#include "madt_layout.h"
#include "order.h"

/* Seven bits a byte, the lowest first. */
static uint8_t *put_number(uint8_t *to, uint32_t value)
{
	while (value >= 0x80) {
		*to++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*to++ = (uint8_t)value;
	return to;
}

void turn(struct encoder *encoder, struct context *run, uint32_t epoch)
{
	enum { LIKELY, SECOND, LISTED, NEW, EPOCH = 4 };
	struct context *previous = encoder->previous;
	int which = encoder->begins       ? NEW
			: previous->likely == run ? LIKELY
			: previous->second == run ? SECOND
									  : LISTED;
	uint8_t *to = encoder->control.end;
	uint32_t last = encoder->frame_epoch;

	*to++ = (uint8_t)(which | (epoch == last ? 0 : EPOCH));
	if (which == LISTED)
		to = put_number(to, run->index);
	if (which == NEW) {
		to = put_number(to, run->number);
		to = put_number(to, run->told);
	}
	if (which != LIKELY) {
		previous->second = previous->likely;
		previous->likely = run;
	}
	if (epoch != last) {
		int32_t step = (int32_t)(epoch - last);
		to = put_number(to, (uint32_t)step << 1 ^ (uint32_t)(step >> 31));
	}
	encoder->control.end = to;
	encoder->frame_epoch = epoch;
	encoder->begins = false;
}

/* Brings a run up to date whose last time was in another frame or another address space. */
static __attribute__((noinline)) void renew(struct encoder *encoder, struct context *run)
{
	uint32_t frame = (uint32_t)(encoder->stamp >> 32);

	if (run->stamp >> 32 != frame) {
		encoder->begins = true;
		run->index = encoder->indices++;
		run->likely = run->second = &encoder->none;
		for (uint32_t i = 0; i < run->count; i++) {
			run->sites[i].last = encoder->address;
			run->sites[i].stride = run->sites[i].last_stride = 0;
		}
	}
	if ((uint32_t)run->stamp != (uint32_t)encoder->stamp)
		context_forget_ranges(run);
	run->stamp = encoder->stamp;
}

/* The words of a run that have to be restored: what follows from a missing word is missing. */
static __attribute__((noinline)) const uint64_t *restore(struct encoder *encoder,
		const struct context *run, const uint64_t *stored)
{
	for (uint32_t i = 0; i < run->count; i++)
		encoder->restored[i] = word_of(run, stored, i);
	return encoder->restored;
}

/* The words of the run whose header stands there. */
INLINE const uint64_t *words_of(struct encoder *encoder, const struct context *run,
		const uint64_t *at)
{
	return __builtin_expect(run->sources != NULL, false) ? restore(encoder, run, at + 1) : at + 1;
}

/* Goes behind a run. */
static void go_on(struct encoder *encoder, struct pass *pass, const struct context *run)
{
	encoder->derived += run->count - run->stored;
	pass->at += 1 + run->stored;
}

void count_missing(struct encoder *encoder, const struct context *run, uint32_t word)
{
	encoder->missing++;
	encoder->counts -= kind_counts(run->kinds[word]);
	encoder->calls -= kind_calls(run->kinds[word]);
}

/* The words of a run from the given one on, in a pass of their own. */
static uint32_t encode_rest(struct encoder *encoder, struct pass *kept, struct context *run,
		const uint64_t *words, uint32_t from)
{
	struct pass pass = *kept;
	uint32_t reached = encode_words(encoder, &pass, run, words, false, from);

	*kept = pass;
	return reached;
}

/* Adds a run whose words are encoded. */
static void add(struct encoder *encoder, struct pass *pass, struct context *run)
{
	struct context *previous = encoder->previous, *likely = previous->likely,
				   *second = previous->second;
	uint32_t epoch = (uint32_t)*pass->at;
	bool unlikely = likely != run;
	unsigned kind = unlikely;

	if (__builtin_expect((unlikely & (second != run)) | (epoch != encoder->frame_epoch), false)) {
		turn(encoder, run, epoch);
		kind = 2;
	} else {
		previous->likely = run;
		previous->second = unlikely ? likely : second;
	}
	*pass->kinds++ = (uint8_t)kind;
	encoder->previous = run;
	encoder->counts += tally_counts(run->tally);
	encoder->calls += tally_calls(run->tally);
}

/* Undoes what a run did of which nothing was made. */
static __attribute__((noinline)) void take_back(struct encoder *encoder, struct context *run)
{
	encoder->passed_over += 1 + run->count;
	encoder->counts += tally_counts(run->tally);
	encoder->calls += tally_calls(run->tally);
	if (encoder->begins) {
		run->stamp = 0;
		encoder->indices--;
		encoder->begins = false;
	}
}

/* Stops in front of a word of a run, or behind its last. */
static int ask(struct encoder *encoder, struct context *run, uint32_t word, const uint64_t *words,
		int stop)
{
	encoder->asking = run;
	encoder->word = word;
	encoder->shared[MADT_ENCODER_SLOT] = run->slot;
	encoder->shared[MADT_ENCODER_ADDRESS] = word < run->count ? words[word] : 0;
	return stop;
}

/* Counts a run that was added if it is a bulk transfer without gaps. */
static void count_block(struct encoder *encoder, const struct context *run, const uint64_t *words)
{
	bool made = true;

	if (run->slot - MADT_RUN_COPY > MADT_RUN_FETCH - MADT_RUN_COPY)
		return;
	for (uint32_t i = 1; i < run->count; i++)
		made &= words[i] != UINT64_MAX;
	encoder->shared[MADT_ENCODER_COPIES + run->slot - MADT_RUN_COPY] += made;
}

/* The run at hand from a word on. */
static int encode_run(struct encoder *encoder, struct pass *pass, struct context *run,
		const uint64_t *words, uint32_t from)
{
	uint32_t reached = encode_rest(encoder, pass, run, words, from);

	if (__builtin_expect(reached < run->count, false))
		return ask(encoder, run, reached, words, MADT_ENCODE_ASKS);
	if (__builtin_expect(encoder->missing != 0, false)) {
		bool none = encoder->missing == run->count;
		if (none || run->defined)
			encoder->missing = 0;
		if (none) {
			pass->codes -= run->count;
			take_back(encoder, run);
			return MADT_ENCODE_END;
		}
	}
	if (__builtin_expect(!run->defined, false))
		return ask(encoder, run, reached, words, MADT_ENCODE_DEFINE);
	add(encoder, pass, run);
	count_block(encoder, run, words);
	return MADT_ENCODE_END;
}

/* Epoch of the run at hand, all 64 bits. */
static int64_t next_epoch(const struct encoder *encoder, uint64_t header)
{
	return run_epoch(encoder->epoch, header);
}

/* Finds a context that is not at hand. */
static __attribute__((noinline)) struct context *fetch(struct encoder *encoder, uint32_t slot)
{
	struct context *run = context_find(encoder, slot);

	encoder->shared[MADT_ENCODER_SLOT] = slot;
	if (run && slot >= MADT_RUN_FIRST_MODULE) // built-in runs are never usual
		encoder->cache[slot & encoder->cached] = run;
	return run;
}

/* Whether the run at hand waits. */
INLINE bool is_late(const struct encoder *encoder, const struct bounds *bounds, uint64_t header)
{
	return __builtin_expect(((uint32_t)header != (uint32_t)encoder->epoch) | bounds->late, false)
			&& !run_is_first(next_epoch(encoder, header), bounds->limit);
}

/* Adds a bulk transfer that counts, and whose call is known. */
static bool add_block(struct encoder *encoder, struct pass *pass, const struct bounds *bounds,
		struct context *run)
{
	const struct code_word *call = code_find(encoder, pass->at[1]);

	if (!call)
		return false;
	memcpy(encoder->restored, pass->at + 1, run->count * sizeof *pass->at);
	encoder->restored[0] = call->code;
	if (run->stamp != bounds->stamp)
		renew(encoder, run);
	encode_run(encoder, pass, run, encoder->restored, 0);
	return true;
}

/* A run below FIRST: bulk transfers are taken of which everything is known. */
static int take_block(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32 & MADT_RUN_RESERVED;
	struct context *run = slot - MADT_RUN_COPY <= MADT_RUN_FETCH - MADT_RUN_COPY
			? context_find(encoder, slot)
			: NULL;
	enum verdict verdict;

	if (header < RUN_BIT || !run || pass->at + run->count >= bounds->end)
		return MADT_ENCODE_OTHER;
	if (is_late(encoder, bounds, header))
		return MADT_ENCODE_HELD;
	verdict = block_judge(encoder, slot, pass->at + 1);
	if (verdict == ASKED || (verdict == COUNTS && !add_block(encoder, pass, bounds, run)))
		return MADT_ENCODE_OTHER;
	if (verdict == PASSES)
		encoder->passed_over += 1 + run->count;
	encoder->epoch = next_epoch(encoder, header);
	pass->at += 1 + run->count;
	return MADT_ENCODE_END;
}

int take_run(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32 & MADT_RUN_RESERVED;
	struct context *run = encoder->cache[slot & encoder->cached];
	int stop;

	if (__builtin_expect(header < bounds->lowest, false))
		return take_block(encoder, pass, bounds);
	if (run->slot != slot && !(run = fetch(encoder, slot)))
		return MADT_ENCODE_UNKNOWN;
	if (__builtin_expect(pass->at + run->stored >= bounds->end, false))
		return MADT_ENCODE_OTHER;
	if (is_late(encoder, bounds, header))
		return MADT_ENCODE_HELD;
	if (__builtin_expect(run->stamp != bounds->stamp, false))
		renew(encoder, run);
	const uint64_t *words = words_of(encoder, run, pass->at);
	stop = encode_run(encoder, pass, run, words, 0);
	if (__builtin_expect(stop != MADT_ENCODE_END, false))
		return stop;
	if (__builtin_expect((uint32_t)header != (uint32_t)encoder->epoch, false))
		encoder->epoch = next_epoch(encoder, header);
	go_on(encoder, pass, run);
	return MADT_ENCODE_END;
}

int resume(struct encoder *encoder, struct pass *pass)
{
	struct context *run = encoder->asking;
	int stop;

	encoder->asking = NULL;
	stop = encode_run(encoder, pass, run, words_of(encoder, run, pass->at), encoder->word);
	if (stop == MADT_ENCODE_END) {
		encoder->epoch = next_epoch(encoder, *pass->at);
		go_on(encoder, pass, run);
	}
	return stop;
}

bool encoder_put(struct encoder *encoder, uint32_t slot, const uint64_t *words)
{
	struct context *run = encoder->cache[slot]->slot == slot ? encoder->cache[slot]
															 : context_find(encoder, slot);

	return run && encoder_put_run(encoder, run, words);
}

bool encoder_put_run(struct encoder *encoder, struct context *run, const uint64_t *words)
{
	struct pass pass;

	if (!pass_reserve(encoder, 1 + run->count, UINT64_MAX))
		return false;
	pass = pass_begin(encoder, words);
	if (run->stamp != encoder->stamp)
		renew(encoder, run);
	encode_run(encoder, &pass, run, words + 1, 0);
	encoder->shared[MADT_ENCODER_RUNS]++;
	encoder->shared[MADT_ENCODER_WORDS] += 1 + run->count;
	encoder->shared[MADT_ENCODER_FRAME_EPOCH] = encoder->frame_epoch;
	pass_leave(encoder, &pass);
	return true;
}
