/*
 * What C++ names without saying where it is: what references lead to, members of the object at
 * hand and of its base classes, static members, enumerators. Writes sums.
 */
#include <cstdio>

#define KEEP(value) __asm__ volatile("" : "+r"(value))

static int total = 1000; // the classes have one of their own

namespace depot
{
struct Inner {
	long id;
	short parts[3];
};

struct Base {
	enum State { idle, busy = 7, gone = -2 };
	static int built;
	static const int most = 12;
	int serial;
	State state;
};
int Base::built = 3;

enum class Colour : unsigned char { red, green = 200 };

struct Item : Base {
	static long total;
	static constexpr long step = 5;
	long id;
	Inner inner;
	Inner &link;
	const long &sum;
	const char *const &name;
	unsigned flag : 3, rest : 7;
	Colour colour;

	long weigh(long more, int id);
	__attribute__((always_inline)) long twice(long number) const
	{
		long sum = number * 2 + inner.id + serial;
		KEEP(sum);
		return sum + link.id;
	}
};
long Item::total = 40;

__attribute__((noinline)) long Item::weigh(long more, int id)
{
	long part = twice(more) + id;

	KEEP(part);
	total += step;
	built++;
	serial++;
	if (state == busy && colour == Colour::green)
		part += total + ::total;
	KEEP(part);
	KEEP(more);
	KEEP(id);
	return part + this->id + flag;
}
} // namespace depot

using depot::Item;

extern "C" __attribute__((noinline)) long led(Item &item, const int &number, Item *&all,
		const double &share, short (&row)[3], Item &&last)
{
	long sum = item.inner.id + number;

	KEEP(sum);
	if (number % 2)
		sum += item.link.parts[1];
	sum += all->serial + row[2] + (long)share;
	KEEP(sum);
	KEEP(all);
	item.serial += 2;
	return sum + last.sum;
}

int main(void)
{
	static depot::Inner inner = {77, {1, -2, 3}};
	static long weight = 5;
	static const char *name = "box";
	Item items[2] = {
		{{1, Item::busy}, 11, {21, {4, 5, 6}}, inner, weight, name, 5, 100, depot::Colour::green},
		{{2, Item::gone}, 12, {22, {7, 8, 9}}, inner, weight, name, 2, 1, depot::Colour::red}};
	Item *all = items;
	long sum = 0;

	for (int i = 0; i < 4; i++) {
		weight += i;
		sum += items[i % 2].weigh(10 * i, i);
		sum += led(items[i % 2], i, all, 0.25 * i, inner.parts, Item(items[1 - i % 2]));
	}
	printf("%ld\n", sum);
	return 0;
}
