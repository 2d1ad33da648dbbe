/*
 * malloc and its family, C++ new and delete, mmap and its family, the program break. A free is
 * recorded before the real one, a malloc after it, a realloc on both sides: so no block is named
 * before its birth or after its death (docs/FORMAT.md, epochs).
 */
#include "chain/chain.h"
#include "module/storage.h"
#include "thread/quarantine.h"
#include "wrap/wrap.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

/*
 * Until the real functions are known the only callers are IFUNC resolvers and dlsym itself, for a
 * few bytes. What they get is never given back.
 */
static char early[65536] __attribute__((aligned(16)));
static size_t early_used;

static void *early_take(size_t size)
{
	size_t at = __atomic_fetch_add(&early_used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);

	if (at + size + 16 > sizeof early)
		return NULL;
	*(size_t *)(early + at) = size;
	return early + at + 16;
}

static bool early_owns(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof early;
}

static void event_put(enum madt_event_type type, const void *address, size_t size, const void *old,
		size_t old_size, uintptr_t caller)
{
	struct madt_event event = { .type = (uint16_t)type,
		.callers = 1,
		.address = (uintptr_t)address,
		.size = size,
		.old = (uintptr_t)old,
		.old_size = old_size,
		.caller = { caller } };

	if (!named_takes(&event))
		ring_put(&event);
}

/* The same of an event that has a chain, which begins with the caller of the wrapper with a frame. */
static void allocation_put(enum madt_event_type type, const void *address, size_t size,
		const void *old, uintptr_t caller, uintptr_t frame)
{
	event_put(type, address, size, old, chain_of(caller, frame), caller);
}

/*
 * The end of mappings in a range. Its event has no room for the chain, which stands in front of it.
 */
static void mapping_end_put(enum madt_event_type type, const void *old, size_t old_size,
		size_t size, uintptr_t caller, uintptr_t frame)
{
	uint32_t chain = chain_of(caller, frame);

	if (chain)
		ring_put(&(struct madt_event){
				.type = MADT_EVENT_MAPPING_CHAIN, .old = (uintptr_t)old, .old_size = chain });
	event_put(type, NULL, size, old, old_size, caller);
}

/* An allocation that takes nothing but sizes. */
#define ALLOCATE(event, size, caller, call)                        \
	({                                                             \
		uintptr_t frame_ = FRAME;                                  \
		bool record_ = frame_enter_allocation(frame_);             \
		void *p_ = (call);                                         \
		if (!p_ && quarantine_give_back(real.free))                \
			p_ = (call);                                           \
		quarantine_born(p_, size);                                 \
		storage_allocation(caller);                                \
		if (record_)                                               \
			allocation_put(event, p_, size, NULL, caller, frame_); \
		frame_leave(frame_);                                       \
		p_;                                                        \
	})

EXPORT void *malloc(size_t size)
{
	if (!real.malloc)
		return early_take(size);
	return ALLOCATE(MADT_EVENT_MALLOC, size, CALLER, real.malloc(size));
}

EXPORT void *calloc(size_t n, size_t size)
{
	if (!real.calloc)
		return early_take(n * size);
	return ALLOCATE(MADT_EVENT_CALLOC, n * size, CALLER, real.calloc(n, size));
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return ALLOCATE(MADT_EVENT_MALLOC, size, CALLER, real.aligned_alloc(alignment, size));
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return ALLOCATE(MADT_EVENT_MALLOC, size, CALLER, real.memalign(alignment, size));
}

EXPORT void *valloc(size_t size)
{
	return ALLOCATE(MADT_EVENT_MALLOC, size, CALLER, real.valloc(size));
}

EXPORT void *pvalloc(size_t size)
{
	return ALLOCATE(MADT_EVENT_MALLOC, PAGE_UP(size), CALLER, real.pvalloc(size));
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	uintptr_t frame = FRAME;
	bool record = frame_enter_allocation(frame);
	int result = real.posix_memalign(out, alignment, size);

	if (result == ENOMEM && quarantine_give_back(real.free))
		result = real.posix_memalign(out, alignment, size);
	if (!result)
		quarantine_born(*out, size);
	if (record)
		allocation_put(MADT_EVENT_MALLOC, result ? NULL : *out, size, NULL, CALLER, frame);
	frame_leave(frame);
	return result;
}

/*
 * realloc for a program whose freed blocks are kept back. Static programs have none of the real
 * functions but those with a hook: where one is missing that this needs, blocks grow in their place.
 */
static void *reallocate_kept(void *old, size_t size)
{
	size_t had = 0;
	bool known = quarantine_knows(old, &had), moves = size && quarantine_moves(had, size);
	void *p;

	if (known && real.malloc && real.free && (moves || quarantine_forget(old))) {
		p = real.malloc(size);
		if (!p && quarantine_give_back(real.free))
			p = real.malloc(size);
		quarantine_born(p, size);
		if (p)
			bytes_copy(p, old, had < size ? had : size);
		if (p && !quarantine_keep(old, real.free))
			real.free(old);
		return p;
	}
	p = real.realloc(old, size);
	if (!p && size && quarantine_give_back(real.free))
		p = real.realloc(old, size);
	if (p)
		quarantine_born(p, size);
	else if (known && size)
		quarantine_born(old, had);
	return p;
}

static void *reallocate(void *old, size_t size, uintptr_t caller, uintptr_t frame)
{
	bool record = frame_enter_allocation(frame);
	void *p;

	if (early_owns(old)) {
		size_t had = *(size_t *)((char *)old - 16);

		p = real.malloc(size);
		if (p)
			bytes_copy(p, old, had < size ? had : size);
		old = NULL;
	} else {
		if (record)
			event_put(MADT_EVENT_REALLOC_BEGIN, NULL, size, old, 0, caller);
		p = quarantine_on() ? reallocate_kept(old, size) : real.realloc(old, size);
	}
	if (record)
		allocation_put(MADT_EVENT_REALLOC_END, p, size, old, caller, frame);
	frame_leave(frame);
	return p;
}

EXPORT void *realloc(void *old, size_t size)
{
	return real.realloc ? reallocate(old, size, CALLER, FRAME) : early_take(size);
}

EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (!real.realloc || __builtin_mul_overflow(n, size, &bytes))
		return real.reallocarray(old, n, size);
	return reallocate(old, bytes, CALLER, FRAME);
}

/* free and delete: `release` is the real one. */
static void release_block(void *p, uintptr_t caller, uintptr_t frame, void (*release)(void *))
{
	bool record;

	if (!p || early_owns(p) || !release)
		return;
	record = frame_enter_allocation(frame);
	if (record)
		allocation_put(MADT_EVENT_FREE, NULL, 0, p, caller, frame);
	if (!quarantine_keep(p, release))
		release(p);
	frame_leave(frame);
}

EXPORT void free(void *p)
{
	release_block(p, CALLER, FRAME, real.free);
}

/*
 * Answers what was asked for of a block that is followed, for who asks may use all of it. Else an
 * event says so.
 */
EXPORT size_t malloc_usable_size(void *p)
{
	size_t size = 0;
	bool record;

	if (quarantine_knows(p, &size) || !real.malloc_usable_size)
		return size;
	record = frame_enter_allocation(FRAME);
	size = real.malloc_usable_size(p);
	if (record && size)
		ring_put(&(struct madt_event){
				.type = MADT_EVENT_USABLE, .address = (uintptr_t)p, .size = size });
	frame_leave(FRAME);
	return size;
}

/* ---------------------------------------------------------------- C++ */

/*
 * The real operator calls malloc, or a replaced operator, and so comes back here: within an
 * allocation, which is recorded already.
 */
static void *operator_new(enum operator_name name, long a, long b, long c, uintptr_t caller,
		uintptr_t frame)
{
	uintptr_t code = operator_code(name, caller);
	bool record = frame_enter_allocation(frame);
	void *p;

	frame_note(code, (size_t)a, record ? caller : 0);
	p = code ? (void *)madt_call((const void *)code, a, b, c, 0, 0) : malloc((size_t)a);
	if (record)
		allocation_put(MADT_EVENT_MALLOC, p, (size_t)a, NULL, caller, frame);
	frame_leave(frame);
	return p;
}

static void operator_delete(enum operator_name name, void *p, long b, long c, uintptr_t caller,
		uintptr_t frame)
{
	uintptr_t code = operator_code(name, caller);
	bool record = frame_enter_allocation(frame);

	frame_note(code, 0, 0);
	if (record && p)
		allocation_put(MADT_EVENT_FREE, NULL, 0, p, caller, frame);
	if (code)
		madt_call((const void *)code, (long)p, b, c, 0, 0);
	else
		free(p);
	frame_leave(frame);
}

#define WORDS(x, y, z) (long)(x), (long)(y), (long)(z)
#define NEW(name, parameters, words)                                     \
	EXPORT void *name parameters                                         \
	{                                                                    \
		return operator_new(OPERATOR##name, WORDS words, CALLER, FRAME); \
	}
#define DELETE(name, parameters, words)                                \
	EXPORT void name parameters                                        \
	{                                                                  \
		operator_delete(OPERATOR##name, DELETED words, CALLER, FRAME); \
	}
#define DELETED(x, y, z) (x), (long)(y), (long)(z)
WRAP_NEW(NEW)
WRAP_DELETE(DELETE)

/* ---------------------------------------------------------------- mappings and the break */

static void *map_pages(void *wish, size_t size, int protection, int flags, int descriptor,
		long offset, uintptr_t caller, uintptr_t frame)
{
	bool record = frame_enter_allocation(frame);
	void *p;

	if (record)
		frame_maps();
	p = real.mmap(wish, size, protection, flags, descriptor, offset);
	if (record)
		allocation_put(MADT_EVENT_MMAP, p == MAP_FAILED ? NULL : p, size, NULL, caller, frame);
	frame_leave(frame);
	return p;
}

EXPORT void *mmap(void *wish, size_t size, int protection, int flags, int descriptor, long offset)
{
	return map_pages(wish, size, protection, flags, descriptor, offset, CALLER, FRAME);
}

EXPORT void *mmap64(void *wish, size_t size, int protection, int flags, int descriptor, long offset)
{
	return map_pages(wish, size, protection, flags, descriptor, offset, CALLER, FRAME);
}

EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	uintptr_t frame = FRAME;
	bool record = frame_enter_allocation(frame);
	va_list list;
	void *wish, *p;

	va_start(list, flags);
	wish = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(list, void *) : NULL;
	va_end(list);
	if (record)
		mapping_end_put(MADT_EVENT_MREMAP_BEGIN, old, old_size, size, CALLER, frame);
	p = real.mremap(old, old_size, size, flags, wish);
	if (record)
		event_put(MADT_EVENT_MREMAP_END, p == MAP_FAILED ? NULL : p, size, old, old_size, CALLER);
	frame_leave(frame);
	return p;
}

EXPORT int munmap(void *p, size_t size)
{
	uintptr_t frame = FRAME;
	bool record = frame_enter_allocation(frame);
	int result;

	if (record && size && !((uintptr_t)p % MADT_PAGE))
		mapping_end_put(MADT_EVENT_MUNMAP, p, size, 0, CALLER, frame);
	result = real.munmap(p, size);
	frame_leave(frame);
	return result;
}

/*
 * Growth is a new block, shrinking unmaps the end. So does what has gone since then without these
 * functions: a system call of the program's own may have moved the break.
 */
static void break_event(uintptr_t before, uintptr_t after, uintptr_t caller, uintptr_t frame)
{
	static uintptr_t told;
	uintptr_t gone = after < before ? after : before;
	uintptr_t end = told > before ? told : before;

	if (gone < end)
		mapping_end_put(MADT_EVENT_MUNMAP, (void *)gone, end - gone, 0, caller, frame);
	told = after;
	if (after > before)
		allocation_put(MADT_EVENT_BREAK, (void *)before, after - before, NULL, caller, frame);
}

EXPORT void *sbrk(intptr_t increment)
{
	uintptr_t frame = FRAME;
	bool record = frame_enter_allocation(frame);
	void *before = real.sbrk(increment);

	if (record && before != (void *)-1)
		break_event((uintptr_t)before, (uintptr_t)before + (uintptr_t)increment, CALLER, frame);
	frame_leave(frame);
	return before;
}

EXPORT int brk(void *end)
{
	uintptr_t frame = FRAME;
	bool record = frame_enter_allocation(frame);
	uintptr_t before = (uintptr_t)SYS1(__NR_brk, 0); /* sbrk may come to brk in its turn */
	int result = real.brk(end);

	if (record && result == 0)
		break_event(before, (uintptr_t)end, CALLER, frame);
	frame_leave(frame);
	return result;
}

/* Others may define functions of these names, and take them: the wrappers' own, for wrap_hook.c. */
#define WRAP_OWN(constant, name)       \
	extern __typeof__(name) own_##name \
			__attribute__((alias(#name), copy(name), visibility("hidden")));
WRAP_HOOKS(WRAP_OWN)
