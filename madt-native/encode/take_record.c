/* Records of every kind: where something is unusual, or the encoder must ask. */
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

void turn(struct encoder *encoder, struct context *context, uint32_t epoch)
{
	enum { LIKELY, SECOND, LISTED, NEW, EPOCH = 4 };
	struct context *previous = encoder->previous;
	int which = encoder->begins           ? NEW
			: previous->likely == context ? LIKELY
			: previous->second == context ? SECOND
										  : LISTED;
	uint8_t *to = encoder->control.end;
	uint32_t last = encoder->frame_epoch;

	*to++ = (uint8_t)(which | (epoch == last ? 0 : EPOCH));
	if (which == LISTED)
		to = put_number(to, context->index);
	if (which == NEW) {
		to = put_number(to, context->number);
		to = put_number(to, context->told);
	}
	if (which != LIKELY) {
		previous->second = previous->likely;
		previous->likely = context;
	}
	if (epoch != last) {
		int32_t step = (int32_t)(epoch - last);
		to = put_number(to, (uint32_t)step << 1 ^ (uint32_t)(step >> 31));
	}
	encoder->control.end = to;
	encoder->frame_epoch = epoch;
	encoder->begins = false;
}

/* Brings a template up to date whose last time was in another frame or another address space. */
static __attribute__((noinline)) void renew(struct encoder *encoder, struct context *context)
{
	uint32_t frame = (uint32_t)(encoder->stamp >> 32);

	if (context->stamp >> 32 != frame) {
		encoder->begins = true;
		context->index = encoder->indices++;
		context->likely = context->second = &encoder->none;
		for (uint32_t i = 0; i < context->count; i++) {
			context->sites[i].last = encoder->address;
			context->sites[i].stride = context->sites[i].last_stride = 0;
		}
	}
	if ((uint32_t)context->stamp != (uint32_t)encoder->stamp)
		context_forget_ranges(context);
	context->stamp = encoder->stamp;
}

/* The words of a record that have to be restored: what follows from a missing word is missing. */
static __attribute__((noinline)) const uint64_t *restore(struct encoder *encoder,
		const struct context *context, const uint64_t *stored)
{
	for (uint32_t i = 0; i < context->count; i++)
		encoder->restored[i] = word_of(context, stored, i);
	return encoder->restored;
}

/* The words of the record whose header stands there. */
INLINE const uint64_t *words_of(struct encoder *encoder, const struct context *context,
		const uint64_t *at)
{
	return __builtin_expect(context->sources != NULL, false) ? restore(encoder, context, at + 1)
															 : at + 1;
}

/* Goes behind a record. */
static void go_on(struct encoder *encoder, struct pass *pass, const struct context *context)
{
	encoder->derived += context->count - context->stored;
	pass->at += 1 + context->stored;
}

void count_missing(struct encoder *encoder, const struct context *context, uint32_t word)
{
	encoder->missing++;
	encoder->counts -= kind_counts(context->kinds[word]);
	encoder->calls -= kind_calls(context->kinds[word]);
}

/* The words of a record from the given one on, in a pass of their own. */
static uint32_t encode_rest(struct encoder *encoder, struct pass *kept, struct context *context,
		const uint64_t *words, uint32_t from)
{
	struct pass pass = *kept;
	uint32_t reached = encode_words(encoder, &pass, context, words, false, from);

	*kept = pass;
	return reached;
}

/* Adds a record whose words are encoded. */
static void add(struct encoder *encoder, struct pass *pass, struct context *context)
{
	struct context *previous = encoder->previous, *likely = previous->likely,
				   *second = previous->second;
	uint32_t epoch = (uint32_t)*pass->at;
	bool unlikely = likely != context;
	unsigned kind = unlikely;

	if (__builtin_expect((unlikely & (second != context)) | (epoch != encoder->frame_epoch),
				false)) {
		turn(encoder, context, epoch);
		kind = 2;
	} else {
		previous->likely = context;
		previous->second = unlikely ? likely : second;
	}
	*pass->kinds++ = (uint8_t)kind;
	encoder->previous = context;
	encoder->counts += tally_counts(context->tally);
	encoder->calls += tally_calls(context->tally);
}

/* Undoes what a record did of which nothing was made. */
static __attribute__((noinline)) void take_back(struct encoder *encoder, struct context *context)
{
	encoder->passed_over += 1 + context->count;
	encoder->counts += tally_counts(context->tally);
	encoder->calls += tally_calls(context->tally);
	if (encoder->begins) {
		context->stamp = 0;
		encoder->indices--;
		encoder->begins = false;
	}
}

/* Stops in front of a word of a record, or behind its last. */
static int ask(struct encoder *encoder, struct context *context, uint32_t word,
		const uint64_t *words, int stop)
{
	encoder->asking = context;
	encoder->word = word;
	encoder->shared[MADT_ENCODER_SLOT] = context->slot;
	encoder->shared[MADT_ENCODER_ADDRESS] = word < context->count ? words[word] : 0;
	return stop;
}

/* Counts a record that was added if it is a bulk transfer without gaps. */
static void count_block(struct encoder *encoder, const struct context *context,
		const uint64_t *words)
{
	bool made = true;

	if (context->slot - MADT_TEMPLATE_COPY > MADT_TEMPLATE_FETCH - MADT_TEMPLATE_COPY)
		return;
	for (uint32_t i = 1; i < context->count; i++)
		made &= words[i] != UINT64_MAX;
	encoder->shared[MADT_ENCODER_COPIES + context->slot - MADT_TEMPLATE_COPY] += made;
}

/* The record at hand from a word on. */
static int encode_record(struct encoder *encoder, struct pass *pass, struct context *context,
		const uint64_t *words, uint32_t from)
{
	uint32_t reached = encode_rest(encoder, pass, context, words, from);

	if (__builtin_expect(reached < context->count, false))
		return ask(encoder, context, reached, words, MADT_ENCODE_ASKS);
	if (__builtin_expect(encoder->missing != 0, false)) {
		bool none = encoder->missing == context->count;
		if (none || context->defined)
			encoder->missing = 0;
		if (none) {
			pass->codes -= context->count;
			take_back(encoder, context);
			return MADT_ENCODE_END;
		}
	}
	if (__builtin_expect(!context->defined, false))
		return ask(encoder, context, reached, words, MADT_ENCODE_DEFINE);
	add(encoder, pass, context);
	count_block(encoder, context, words);
	return MADT_ENCODE_END;
}

/* Epoch of the record at hand, all 64 bits. */
static int64_t next_epoch(const struct encoder *encoder, uint64_t header)
{
	return record_epoch(encoder->epoch, header);
}

/* Finds a context that is not at hand. */
static __attribute__((noinline)) struct context *fetch(struct encoder *encoder, uint32_t slot)
{
	struct context *context = context_find(encoder, slot);

	encoder->shared[MADT_ENCODER_SLOT] = slot;
	if (context && slot >= MADT_TEMPLATE_FIRST_MODULE // built-in records are never usual
			&& !context->handed_back)
		encoder->cache[slot & encoder->cached] = context;
	return context;
}

/* Returns whether the record at hand waits. */
INLINE bool is_late(const struct encoder *encoder, const struct bounds *bounds, uint64_t header)
{
	return __builtin_expect(((uint32_t)header != (uint32_t)encoder->epoch) | bounds->late, false)
			&& !record_is_first(next_epoch(encoder, header), bounds->limit);
}

/* Adds a bulk transfer that counts, and whose call is known. */
static bool add_block(struct encoder *encoder, struct pass *pass, const struct bounds *bounds,
		struct context *context)
{
	const struct code_word *call = code_find(encoder, pass->at[1]);

	if (!call)
		return false;
	memcpy(encoder->restored, pass->at + 1, context->count * sizeof *pass->at);
	encoder->restored[0] = call->code;
	if (context->stamp != bounds->stamp)
		renew(encoder, context);
	encode_record(encoder, pass, context, encoder->restored, 0);
	return true;
}

/* A record below FIRST: bulk transfers are taken of which everything is known. */
static int take_block(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32 & MADT_TEMPLATE_RESERVED;
	struct context *context = slot - MADT_TEMPLATE_COPY <= MADT_TEMPLATE_FETCH - MADT_TEMPLATE_COPY
			? context_find(encoder, slot)
			: NULL;
	enum verdict verdict;

	if (header < RECORD_BIT || !context || pass->at + context->count >= bounds->end)
		return MADT_ENCODE_OTHER;
	if (is_late(encoder, bounds, header))
		return MADT_ENCODE_HELD;
	verdict = block_judge(encoder, slot, pass->at + 1);
	if (verdict == ASKED || (verdict == COUNTS && !add_block(encoder, pass, bounds, context)))
		return MADT_ENCODE_OTHER;
	if (verdict == PASSES)
		encoder->passed_over += 1 + context->count;
	encoder->epoch = next_epoch(encoder, header);
	pass->at += 1 + context->count;
	return MADT_ENCODE_END;
}

int take_record(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32 & MADT_TEMPLATE_RESERVED;
	struct context *context = encoder->cache[slot & encoder->cached];
	int stop;

	if (__builtin_expect(header < bounds->lowest, false))
		return take_block(encoder, pass, bounds);
	if (context->slot != slot) {
		context = fetch(encoder, slot);
		if (!context)
			return MADT_ENCODE_UNKNOWN;
		if (context->handed_back && encoder->shared[MADT_ENCODER_FIRST])
			return MADT_ENCODE_OTHER;
	}
	if (__builtin_expect(pass->at + context->stored >= bounds->end, false))
		return MADT_ENCODE_OTHER;
	if (is_late(encoder, bounds, header))
		return MADT_ENCODE_HELD;
	if (__builtin_expect(context->stamp != bounds->stamp, false))
		renew(encoder, context);
	const uint64_t *words = words_of(encoder, context, pass->at);
	stop = encode_record(encoder, pass, context, words, 0);
	if (__builtin_expect(stop != MADT_ENCODE_END, false))
		return stop;
	if (__builtin_expect((uint32_t)header != (uint32_t)encoder->epoch, false))
		encoder->epoch = next_epoch(encoder, header);
	go_on(encoder, pass, context);
	return MADT_ENCODE_END;
}

int resume(struct encoder *encoder, struct pass *pass)
{
	struct context *context = encoder->asking;
	int stop;

	encoder->asking = NULL;
	stop = encode_record(encoder, pass, context, words_of(encoder, context, pass->at),
			encoder->word);
	if (stop == MADT_ENCODE_END) {
		encoder->epoch = next_epoch(encoder, *pass->at);
		go_on(encoder, pass, context);
	}
	return stop;
}

void tell_times(struct encoder *encoder, struct pass *pass, struct context *context)
{
	const uint64_t record[] = { encoder->frame_epoch, context->index, context->skipped };
	struct context *times = context_find(encoder, MADT_TEMPLATE_TIMES);
	const uint64_t *at = pass->at;

	if (times->stamp != encoder->stamp)
		renew(encoder, times);
	pass->at = record;
	encode_record(encoder, pass, times, record + 1, 0);
	pass->at = at;
	context->skipped = 0;
}

bool encoder_put(struct encoder *encoder, uint32_t slot, const uint64_t *words)
{
	struct context *context = encoder->cache[slot]->slot == slot ? encoder->cache[slot]
																 : context_find(encoder, slot);

	return context && encoder_put_record(encoder, context, words);
}

bool encoder_put_record(struct encoder *encoder, struct context *context, const uint64_t *words)
{
	struct pass pass;

	if (!pass_reserve(encoder, 1 + context->count, UINT64_MAX))
		return false;
	pass = pass_begin(encoder, words);
	if (context->stamp != encoder->stamp)
		renew(encoder, context);
	encode_record(encoder, &pass, context, words + 1, 0);
	encoder->shared[MADT_ENCODER_RECORDS]++;
	encoder->shared[MADT_ENCODER_WORDS] += 1 + context->count;
	encoder->shared[MADT_ENCODER_FRAME_EPOCH] = encoder->frame_epoch;
	pass_leave(encoder, &pass);
	return true;
}
