// Throws through frames with destructors, catches, throws again: the unwinder must see the module's
// own return addresses.
#include <cstdint>

namespace
{

uint64_t *log_at;

struct trace {
	uint64_t mark;
	explicit trace(uint64_t number) : mark(number)
	{
		*log_at++ = mark;
	}
	~trace()
	{
		*log_at++ = ~mark;
	}
};

struct failure {
	uint64_t depth;
};

uint64_t descend(uint64_t *items, uint64_t depth)
{
	trace here(depth);
	items[depth] += depth;
	if (depth == 3)
		throw failure{ items[depth] };
	uint64_t sum = descend(items, depth + 1) + items[depth];
	items[depth] = sum;
	return sum;
}

uint64_t again(uint64_t *items)
{
	trace here(100);
	try {
		return descend(items, 0);
	} catch (failure &caught) {
		items[7] = caught.depth;
		throw;
	}
}

} // namespace

extern "C" uint64_t throw_and_catch(uint64_t *items, uint64_t *log)
{
	log_at = log;
	try {
		return again(items);
	} catch (const failure &caught) {
		return caught.depth + items[7];
	}
}
