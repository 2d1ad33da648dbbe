/* The inner loop of the collector: what a run costs here is what a recorded program waits for. */
#include "encode.h"

#include "encode_runs.h"
#include "madt_layout.h"

#define RUN_BIT (1ull << 63)
#define NEIGHBOURS (1ull << 48) /* larger residuals are whole, to the site's own stride */
#define NOT_MADE 15
#define WHOLE 7 /* code of a residual of 8 bytes */
/* Words that stay in the processor's nearest cache until they are cleared. */
#define NEAR_WORDS 1024
/* Words that are asked for early: another core wrote them, and they will be cleared. */
#define AHEAD 128
/* A run of more words is unusual. */
#define USUAL_WORDS 16
/* A word of a chunk stands for no more of a frame: a header and one word for a header and all. */
#define MOST_DERIVED ((1 + MADT_PLAN_DERIVED_WORDS + 1) / 2)
/* The last run of a frame is whole: more words than one has. */
#define LAST_WORDS 96
/* Control bytes of a run at most: one, and three numbers of up to five. */
#define MOST_CONTROL 16

/*
 * What changes with every run, in the processor's registers while the loop lasts: nobody may have
 * its address.
 */
struct pass {
	const uint64_t *at;
	uint8_t *residuals;
	uint8_t *kinds, *codes; /* a byte each, until the frame ends */
	uint64_t near;
	uint64_t moved;
};

/* What does not change in a call. */
struct bounds {
	const uint64_t *end, *full; /* no run is begun at or behind full */
	const uint64_t *usual;      /* a usual run that begins in front of it is whole */
	uint64_t lowest;            /* header */
	uint64_t stamp;
	int64_t limit;
	bool late; /* the run in front was above the limit */
};

INLINE uint64_t zigzag(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

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

/* Which run it is, where that is not the likely one or the epoch is another. */
static __attribute__((noinline)) void turn(struct encoder *encoder, struct context *run,
		uint32_t epoch)
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
		run->likely = run->second = NULL;
		for (uint32_t i = 0; i < run->count; i++) {
			run->sites[i].last = encoder->address;
			run->sites[i].stride = run->sites[i].last_stride = 0;
		}
	}
	if ((uint32_t)run->stamp != (uint32_t)encoder->stamp)
		context_forget_ranges(run);
	run->differed = 1;
	run->stamp = encoder->stamp;
}

/* The words of a run that have to be restored: what follows from a missing word is missing. */
static __attribute__((noinline)) const uint64_t *restore(struct encoder *encoder,
		const struct context *run, const uint64_t *stored)
{
	for (uint32_t i = 0; i < run->count; i++) {
		uint64_t word = stored[run->sources[i].from];
		int64_t distance = run->sources[i].distance;
		encoder->restored[i] = word == UINT64_MAX ? word : word + (uint64_t)distance;
	}
	return encoder->restored;
}

/* The words of the run whose header stands there. */
INLINE const uint64_t *words_of(struct encoder *encoder, const struct context *run,
		const uint64_t *at)
{
	return __builtin_expect(run->sources != NULL, false) ? restore(encoder, run, at + 1) : at + 1;
}

/* Goes behind a run. */
INLINE void go_on(struct encoder *encoder, struct pass *pass, const struct context *run)
{
	encoder->derived += run->count - run->stored;
	pass->at += 1 + run->stored;
}

/* Whether all words of a run are where they are expected; then its sites know. */
INLINE bool predicted(struct encoder *encoder, struct pass *pass, struct context *run,
		const uint64_t *words)
{
	uint64_t differs = 0, outside = 0;

	for (uint32_t i = 0; i < run->count; i++) {
		const struct site *site = &run->sites[i];
		differs |= (words[i] - site->last) ^ site->stride;
		outside |= words[i] - site->start >= site->length;
	}
	if (differs | outside)
		return false;
	for (uint32_t i = 0; i < run->count; i++) {
		uint64_t stride = run->sites[i].stride;
		run->sites[i].last = words[i];
		run->sites[i].last_stride = stride;
		pass->codes[i] = 0;
		pass->near = stride ? stride : pass->near;
		pass->moved = stride ? words[i] : pass->moved;
	}
	pass->codes += run->count;
	encoder->address = words[run->count - 1];
	return true;
}

static __attribute__((noinline)) void count_missing(struct encoder *encoder,
		const struct context *run, uint32_t word)
{
	encoder->missing++;
	encoder->counts -= kind_counts(run->kinds[word]);
	encoder->calls -= kind_calls(run->kinds[word]);
}

/* Code and residual of a word that counts; returns 0 if it was expected. */
INLINE uint64_t encode_word(struct pass *pass, struct site *site, uint64_t word)
{
	uint64_t difference = word - site->last;
	uint64_t own = zigzag(difference - site->stride), other = zigzag(difference - pass->near);
	/* of as many bytes, the site's own residual is the one that repeats */
	unsigned top = ((unsigned)__builtin_clzll(own | 1) ^ 63) & ~7u;
	bool fewer = (other < own) & !(other >> top);
	uint64_t residual = fewer ? other : own;

	if (__builtin_expect(residual < NEIGHBOURS, true)) {
		/* bytes of a number of bits */
		unsigned size = (((unsigned)__builtin_clzll(2 * residual + 1) ^ 63) + 7) >> 3;
		memcpy(pass->residuals, &residual, 8);
		pass->residuals += size;
		*pass->codes++ = (uint8_t)(size | (unsigned)fewer << 3);
	} else {
		memcpy(pass->residuals, &own, 8);
		pass->residuals += 8;
		*pass->codes++ = WHOLE;
	}
	site->stride = difference == site->last_stride ? difference : site->stride;
	site->last_stride = difference;
	site->last = word;
	pass->near = difference ? difference : pass->near;
	pass->moved = difference ? word : pass->moved;
	return own;
}

/*
 * The words of a run from the given one on; returns their count, or that of the word in front of
 * which there is a question.
 */
INLINE uint32_t encode_words(struct encoder *encoder, struct pass *pass, struct context *run,
		const uint64_t *words, uint32_t from, uint32_t count)
{
	uint64_t differs = from;
	uint32_t i = from;

	for (; i < count; i++) {
		uint64_t word = words[i];
		struct site *site = &run->sites[i];
		if (__builtin_expect(word - site->start < site->length, true)) {
			differs |= encode_word(pass, site, word);
			encoder->address = word;
			continue;
		}
		if (!context_passes(run, i, word))
			break;
		*pass->codes++ = NOT_MADE;
		count_missing(encoder, run, i);
		differs = 1;
	}
	if (count > 1) /* one word is encoded as fast as it is compared */
		run->differed = differs;
	return i;
}

/* Adds a run whose words are encoded. */
INLINE void add(struct encoder *encoder, struct pass *pass, struct context *run)
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
	encoder->counts += run->counts;
	encoder->calls += run->calls;
}

/* Undoes what a run did of which nothing was made. */
static __attribute__((noinline)) void take_back(struct encoder *encoder, struct context *run)
{
	encoder->passed_over += 1 + run->count;
	encoder->counts += run->counts;
	encoder->calls += run->calls;
	if (encoder->begins) {
		run->stamp = 0;
		encoder->indices--;
		encoder->begins = false;
	}
}

/* Stops in front of a word of a run, or behind its last. */
static __attribute__((noinline)) int ask(struct encoder *encoder, struct context *run,
		uint32_t word, const uint64_t *words, int stop)
{
	encoder->asking = run;
	encoder->word = word;
	encoder->shared[MADT_ENCODER_SLOT] = run->slot;
	encoder->shared[MADT_ENCODER_INDEX] = word;
	encoder->shared[MADT_ENCODER_ADDRESS] = word < run->count ? words[word] : 0;
	return stop;
}

/* The run at hand from a word on. */
INLINE int encode_run(struct encoder *encoder, struct pass *pass, struct context *run,
		const uint64_t *words, uint32_t from)
{
	uint32_t reached = encode_words(encoder, pass, run, words, from, run->count);

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
	return MADT_ENCODE_END;
}

/* Leaves a run to resume that was begun, from a word on. */
static __attribute__((noinline)) bool leave(struct encoder *encoder, struct context *run,
		uint32_t word)
{
	encoder->asking = run;
	encoder->word = word;
	return false;
}

/*
 * The next run, if nothing about it is unusual. Otherwise returns false, and what is left of it is
 * for take_run, or for resume where words of it are done.
 */
INLINE bool take_usual_run(struct encoder *encoder, struct pass *pass, uint64_t stamp)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32;
	struct context *run = encoder->cache[slot & encoder->cached];
	uint32_t count, reached;

	if (run->head != slot || run->stamp != stamp || (uint32_t)header != (uint32_t)encoder->epoch)
		return false;
	count = run->count;
	if (count - 1 >= USUAL_WORDS)
		return false;
	if (count == 1) {
		uint64_t word = pass->at[1];
		if (__builtin_expect(word - run->sites[0].start >= run->sites[0].length, false))
			return false;
		encode_word(pass, &run->sites[0], word);
		encoder->address = word;
		add(encoder, pass, run);
		pass->at += 2;
		return true;
	}
	const uint64_t *words = words_of(encoder, run, pass->at);
	if (!run->differed && predicted(encoder, pass, run, words)) {
		reached = count;
	} else {
		reached = encode_words(encoder, pass, run, words, 0, count);
	}
	if (__builtin_expect(encoder->missing != 0, false)) {
		if (reached < count || encoder->missing == count)
			return leave(encoder, run, reached);
		encoder->missing = 0;
	}
	if (__builtin_expect(reached < count, false))
		return reached && leave(encoder, run, reached);
	add(encoder, pass, run);
	go_on(encoder, pass, run);
	return true;
}

/* Epoch of the run at hand, all 64 bits. */
INLINE int64_t next_epoch(const struct encoder *encoder, uint64_t header)
{
	return encoder->epoch + (int32_t)((uint32_t)header - (uint32_t)encoder->epoch);
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

/* The next run. */
INLINE int take_run(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	uint64_t header = *pass->at;
	uint32_t slot = header >> 32 & MADT_RUN_RESERVED;
	struct context *run = encoder->cache[slot & encoder->cached];
	int stop = MADT_ENCODE_END;

	if (__builtin_expect(header < bounds->lowest, false))
		return MADT_ENCODE_OTHER;
	if (run->slot != slot && !(run = fetch(encoder, slot)))
		return MADT_ENCODE_UNKNOWN;
	if (__builtin_expect(pass->at + run->stored >= bounds->end, false))
		return MADT_ENCODE_OTHER;
	if (__builtin_expect(((uint32_t)header != (uint32_t)encoder->epoch) | bounds->late, false)
			&& next_epoch(encoder, header) > bounds->limit)
		return MADT_ENCODE_HELD;
	if (__builtin_expect(run->stamp != bounds->stamp, false))
		renew(encoder, run);
	const uint64_t *words = words_of(encoder, run, pass->at);
	if (!run->differed && predicted(encoder, pass, run, words))
		add(encoder, pass, run);
	else
		stop = encode_run(encoder, pass, run, words, 0);
	if (__builtin_expect(stop != MADT_ENCODE_END, false))
		return stop;
	if (__builtin_expect((uint32_t)header != (uint32_t)encoder->epoch, false))
		encoder->epoch = next_epoch(encoder, header);
	go_on(encoder, pass, run);
	return MADT_ENCODE_END;
}

/* Goes on with the run that stopped the last pass. */
INLINE int resume(struct encoder *encoder, struct pass *pass)
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

/* For runs that take so many words of a chunk, of which no more than `most` words are wanted. */
static bool reserve(struct encoder *encoder, size_t chunked, uint64_t most)
{
	size_t words = chunked;

	if (encoder->derives) {
		uint64_t wanted = most < SIZE_MAX / 2 ? most + LAST_WORDS : most;
		words = chunked * MOST_DERIVED < wanted ? chunked * MOST_DERIVED : (size_t)wanted;
		words = words > chunked ? words : chunked;
	}
	return column_reserve(&encoder->kinds, chunked) && column_reserve(&encoder->codes, words)
			&& column_reserve(&encoder->control, MOST_CONTROL * chunked)
			&& column_reserve(&encoder->residuals, 8 * words + 8);
}

/* Of runs that begin in the next `most` words, which are there. */
static struct bounds bounds_of(const struct encoder *encoder, const uint64_t *at,
		const uint64_t *end, uint64_t most)
{
	int64_t limit = (int64_t)encoder->shared[MADT_ENCODER_LIMIT];
	uint64_t count = (uint64_t)(end - at);
	uint64_t usual = count < USUAL_WORDS ? 0 : count - USUAL_WORDS;

	return (struct bounds){
		.end = end,
		.full = at + most,
		.usual = at + (usual < most ? usual : most),
		.lowest = RUN_BIT | encoder->shared[MADT_ENCODER_FIRST] << 32,
		.stamp = encoder->stamp,
		.limit = limit,
		.late = encoder->epoch > limit,
	};
}

/* Takes runs up to the bounds. */
INLINE int encode_runs(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	int stop = MADT_ENCODE_END;

	if (encoder->asking)
		stop = resume(encoder, pass);
	while (stop == MADT_ENCODE_END && pass->at < bounds->full) {
		bool usual = !bounds->late && encoder->frame_epoch == (uint32_t)encoder->epoch;
		while (usual && pass->at < bounds->usual) {
			__builtin_prefetch(pass->at + AHEAD, 1);
			usual = take_usual_run(encoder, pass, bounds->stamp);
		}
		if (encoder->asking)
			stop = resume(encoder, pass);
		else if (pass->at < bounds->full)
			stop = take_run(encoder, pass, bounds);
	}
	return stop;
}

/* What a pass has changed. */
static void leave_pass(struct encoder *encoder, const struct pass *pass)
{
	encoder->near = pass->near;
	encoder->moved = pass->moved;
	encoder->residuals.end = pass->residuals;
	encoder->kinds.end = pass->kinds;
	encoder->codes.end = pass->codes;
}

/*
 * In how many of the next words runs may begin, if those in front of the last of them may have
 * `most` words of the frame, less those that have been derived.
 */
static uint64_t portion(const struct encoder *encoder, uint64_t most, uint64_t count)
{
	uint64_t left = most > encoder->derived ? most - encoder->derived : 0;

	if (encoder->derives)
		left = left / MOST_DERIVED + (left % MOST_DERIVED != 0);
	left = left < count ? left : count;
	return left < NEAR_WORDS ? left : NEAR_WORDS;
}

int madt_encode(struct encoder *encoder, uint64_t *words, int count)
{
	uint64_t *shared = encoder->shared, *cleared = words;
	uint64_t most = shared[MADT_ENCODER_MOST], used = shared[MADT_ENCODER_WORDS], some;
	const uint64_t *end = words + count;
	int stop = MADT_ENCODE_END;

	most = most > used ? most - used : 0;
	if (!reserve(encoder, (size_t)count, most))
		return MADT_ENCODE_MEMORY;
	encoder->epoch = (int64_t)shared[MADT_ENCODER_EPOCH];
	struct pass pass = { words, encoder->residuals.end, encoder->kinds.end, encoder->codes.end,
		encoder->near, encoder->moved };
	some = portion(encoder, most, (uint64_t)count);
	do {
		const struct bounds bounds = bounds_of(encoder, pass.at, end, some);
		stop = encode_runs(encoder, &pass, &bounds);
		if (shared[MADT_ENCODER_CLEAR]) {
			memset(cleared, 0xff, (size_t)((const char *)pass.at - (char *)cleared));
			cleared = words + (pass.at - words);
		}
		some = (uint64_t)(pass.at - words);
		some = portion(encoder, most > some ? most - some : 0, (uint64_t)(end - pass.at));
	} while (stop == MADT_ENCODE_END && some);
	if (stop == MADT_ENCODE_END && pass.at < end)
		stop = MADT_ENCODE_HELD;
	uint64_t taken = (uint64_t)(pass.at - words);
	shared[MADT_ENCODER_TAKEN] = taken;
	shared[MADT_ENCODER_RUNS] += (uint64_t)(pass.kinds - encoder->kinds.end);
	shared[MADT_ENCODER_WORDS] += taken + encoder->derived - encoder->passed_over;
	shared[MADT_ENCODER_LOADS] = (uint32_t)encoder->counts;
	shared[MADT_ENCODER_STORES] = encoder->counts >> 32;
	shared[MADT_ENCODER_ENTERS] = (uint32_t)encoder->calls;
	shared[MADT_ENCODER_LEAVES] = encoder->calls >> 32;
	shared[MADT_ENCODER_EPOCH] = (uint64_t)encoder->epoch;
	shared[MADT_ENCODER_FRAME_EPOCH] = encoder->frame_epoch;
	encoder->passed_over = encoder->derived = 0;
	leave_pass(encoder, &pass);
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

	if (!reserve(encoder, 1 + run->count, UINT64_MAX))
		return false;
	pass = (struct pass){ words, encoder->residuals.end, encoder->kinds.end, encoder->codes.end,
		encoder->near, encoder->moved };
	if (run->stamp != encoder->stamp)
		renew(encoder, run);
	if (!run->differed && predicted(encoder, &pass, run, words + 1))
		add(encoder, &pass, run);
	else
		encode_run(encoder, &pass, run, words + 1, 0);
	encoder->shared[MADT_ENCODER_RUNS]++;
	encoder->shared[MADT_ENCODER_WORDS] += 1 + run->count;
	encoder->shared[MADT_ENCODER_FRAME_EPOCH] = encoder->frame_epoch;
	leave_pass(encoder, &pass);
	return true;
}
