/*
 * Functions with all kinds of variables on their stacks, for a debugger to name. No function of a
 * library is called between begin() and end(). Each function stands in four forms, or
 * in one with ONE.
 */
#include <alloca.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#define OUT __attribute__((noinline))
#define PAGE 4096

volatile long sink;
volatile int three = 3;

void OUT begin(void)
{
	__asm__ volatile("");
}

void OUT end(void)
{
	__asm__ volatile("");
}

/* What an address is given to must lie in memory. */
static inline void keep(void *place)
{
	__asm__ volatile("" : : "r"(place) : "memory");
}

#define FUNCTIONS(T, N)                                                                            \
	struct pair_##N {                                                                              \
		T first;                                                                                   \
		T second[5];                                                                               \
	};                                                                                             \
	struct node_##N {                                                                              \
		struct node_##N *next;                                                                     \
		T value;                                                                                   \
	};                                                                                             \
	union either_##N {                                                                             \
		T value;                                                                                   \
		uint8_t bytes[16];                                                                         \
	};                                                                                             \
                                                                                                   \
	static inline T total_##N(const T *values, int count)                                          \
	{                                                                                              \
		T sum = 0;                                                                                 \
		for (int i = 0; i < count; i++)                                                            \
			sum += values[i];                                                                      \
		return sum;                                                                                \
	}                                                                                              \
                                                                                                   \
	OUT T fill_##N(T *values, int count)                                                           \
	{                                                                                              \
		volatile T last = 1;                                                                       \
		for (int i = 0; i < count; i++) {                                                          \
			values[i] = last + i;                                                                  \
			last = values[i];                                                                      \
		}                                                                                          \
		return total_##N(values, count);                                                           \
	}                                                                                              \
                                                                                                   \
	OUT T array_##N(int count)                                                                     \
	{                                                                                              \
		T cells[12], copy[12];                                                                     \
		T sum = fill_##N(cells, count);                                                            \
		for (int i = 0; i < count; i++)                                                            \
			copy[i] = cells[count - 1 - i];                                                        \
		keep(copy);                                                                                \
		return sum + copy[three];                                                                  \
	}                                                                                              \
                                                                                                   \
	OUT T sort_##N(T *values, int count)                                                           \
	{                                                                                              \
		for (int i = 1; i < count; i++) {                                                          \
			T value = values[i];                                                                   \
			int at = i;                                                                            \
			for (; at > 0 && values[at - 1] < value; at--)                                         \
				values[at] = values[at - 1];                                                       \
			values[at] = value;                                                                    \
		}                                                                                          \
		return values[0];                                                                          \
	}                                                                                              \
                                                                                                   \
	OUT T sorted_##N(void)                                                                         \
	{                                                                                              \
		T values[6] = { 3, 1, 4, 1, 5, 9 };                                                        \
		keep(values);                                                                              \
		return sort_##N(values, 6) + values[5];                                                    \
	}                                                                                              \
                                                                                                   \
	OUT struct pair_##N make_##N(T first, int count) {                                             \
		struct pair_##N pair = { first, { 0 } };                                                   \
		for (int i = 0; i < 5; i++)                                                                \
			pair.second[i] = first * i + count;                                                    \
		keep(&pair);                                                                               \
		return pair;                                                                               \
	}                                                                                              \
                                                                                                   \
	OUT T by_value_##N(struct pair_##N pair, int index)                                            \
	{                                                                                              \
		pair.first += pair.second[index];                                                          \
		keep(&pair);                                                                               \
		return pair.first + total_##N(pair.second, 5);                                             \
	}                                                                                              \
                                                                                                   \
	OUT T pairs_##N(void)                                                                          \
	{                                                                                              \
		struct pair_##N one = make_##N(2, three), two;                                             \
		two = one;                                                                                 \
		two.second[three] = 7;                                                                     \
		keep(&two);                                                                                \
		return by_value_##N(two, three) + one.second[2];                                           \
	}                                                                                              \
                                                                                                   \
	OUT T list_##N(struct node_##N *before, int depth)                                             \
	{                                                                                              \
		struct node_##N node = { before, depth };                                                  \
		keep(&node);                                                                               \
		if (depth > 0)                                                                             \
			return list_##N(&node, depth - 1) + node.value;                                        \
		T sum = 0;                                                                                 \
		for (struct node_##N *at = &node; at; at = at->next)                                       \
			sum += at->value;                                                                      \
		return sum;                                                                                \
	}                                                                                              \
                                                                                                   \
	OUT T many_##N(int a, T b, int c, T d, int e, T f, int g, T h, int i, T j, T k, T l, T m, T n) \
	{                                                                                              \
		T all[4] = { b + d, f + h, j + k, l + m };                                                 \
		keep(all);                                                                                 \
		return all[(a + c) & 3] + all[(e + g + i) & 3] + n + l;                                    \
	}                                                                                              \
                                                                                                   \
	OUT T spill_##N(int count)                                                                     \
	{                                                                                              \
		T a = count, b = a * 2, c = a * 3, d = a + b, e = c + d, f = b + e, g = a + f;             \
		T r = many_##N(count, a, 2, b, 3, c, 4, d, 5, e, f, g, a, b);                              \
		return r + a + b + c + d + e + f + g;                                                      \
	}                                                                                              \
                                                                                                   \
	OUT T blocks_##N(int way)                                                                      \
	{                                                                                              \
		T sum = 0;                                                                                 \
		for (int i = 0; i < 3; i++) {                                                              \
			if ((way + i) & 1) {                                                                   \
				T inner[6];                                                                        \
				sum += fill_##N(inner, 6);                                                         \
			} else {                                                                               \
				T other[3], sum2 = sum;                                                            \
				keep(&sum2);                                                                       \
				sum = sum2 + fill_##N(other, 3);                                                   \
			}                                                                                      \
		}                                                                                          \
		return sum;                                                                                \
	}                                                                                              \
                                                                                                   \
	OUT T aligned_##N(int count)                                                                   \
	{                                                                                              \
		alignas(64) T line[16];                                                                    \
		T sum = fill_##N(line, count);                                                             \
		keep(line);                                                                                \
		return sum + line[count - 1];                                                              \
	}                                                                                              \
                                                                                                   \
	OUT T varies_##N(int count)                                                                    \
	{                                                                                              \
		int guard = count;                                                                         \
		T row[count];                                                                              \
		T *more = alloca(sizeof(T) * count);                                                       \
		keep(&guard);                                                                              \
		fill_##N(row, count);                                                                      \
		fill_##N(more, guard);                                                                     \
		return row[1] + more[2];                                                                   \
	}                                                                                              \
                                                                                                   \
	OUT T either_##N(T value)                                                                      \
	{                                                                                              \
		union either_##N both = { .value = value };                                                \
		int sum = 0;                                                                               \
		keep(&both);                                                                               \
		for (unsigned i = 0; i < sizeof(T); i++)                                                   \
			sum += both.bytes[i];                                                                  \
		return sum;                                                                                \
	}                                                                                              \
                                                                                                   \
	OUT T rest_##N(int count, ...)                                                                 \
	{                                                                                              \
		va_list all;                                                                               \
		T sum = 0;                                                                                 \
		va_start(all, count);                                                                      \
		for (int i = 0; i < count; i++)                                                            \
			sum += va_arg(all, int);                                                               \
		va_end(all);                                                                               \
		return sum;                                                                                \
	}                                                                                              \
                                                                                                   \
	OUT T matrix_##N(void)                                                                         \
	{                                                                                              \
		T rows[3][4], *at[3];                                                                      \
		T sum = 0;                                                                                 \
		for (int i = 0; i < 3; i++) {                                                              \
			at[i] = rows[i];                                                                       \
			for (int j = 0; j < 4; j++)                                                            \
				at[i][j] = i * 4 + j;                                                              \
		}                                                                                          \
		keep(at);                                                                                  \
		for (int j = 0; j < 4; j++)                                                                \
			sum += at[j % 3][j];                                                                   \
		return sum + total_##N(rows[1], 4);                                                        \
	}                                                                                              \
                                                                                                   \
	OUT T run_##N(void)                                                                            \
	{                                                                                              \
		T sum = array_##N(9) + sorted_##N() + pairs_##N() + list_##N(0, 3) + spill_##N(three);     \
		sum += blocks_##N(0) + aligned_##N(7) + varies_##N(4) + either_##N(5);                     \
		return sum + rest_##N(3, 4, 5, 6) + matrix_##N();                                          \
	}

FUNCTIONS(long, long)
#ifndef ONE
FUNCTIONS(int, int)
FUNCTIONS(double, double)
FUNCTIONS(short, short)
#endif

OUT void run(char *pad)
{
	keep(pad);
	begin();
	sink = run_long();
#ifndef ONE
	sink += run_int() + (long)run_double() + run_short();
#endif
	end();
}

/* All frames below have the same places in their pages, however large the environment is. */
int main(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	run(alloca(here % PAGE + 2 * PAGE - (here & 15)));
	return 0;
}
