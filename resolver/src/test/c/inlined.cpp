// Inlining several levels deep, templates, namespaces, static locals and all kinds of members.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace shop
{
struct Item {
	long price;
	int count;
	char code[6];
	Item *next;
};

template <typename T> class Shelf
{
  public:
	explicit Shelf(size_t size) : cells(size)
	{
	}
	T &at(size_t i)
	{
		return cells[i % cells.size()];
	}
	long total() const
	{
		long sum = 0;
		for (const T &cell : cells)
			sum += cell.price * cell.count;
		return sum;
	}

  private:
	std::vector<T> cells;
};

static Item first = { 3, 1, "abcde", nullptr };
int visits[4][3];

namespace
{
long hidden = 12;
}

static inline long grow(long by)
{
	static long grown = 5;
	grown += by;
	hidden ^= grown;
	return grown;
}

inline long twice(Item &item, int by)
{
	item.count += by;
	return grow(item.price) + grow(by);
}
} // namespace shop

struct Counter {
	static int made;
	virtual ~Counter() = default;
	virtual int next()
	{
		return ++value;
	}
	int value = 0;
};
int Counter::made = 7;

struct Fast : Counter {
	int next() override
	{
		return value += 2;
	}
	long steps = 0;
};
Fast fast;

int main(int argc, char **argv)
{
	shop::Shelf<shop::Item> shelf(7);
	for (int i = 0; i < 20; i++) {
		shop::Item &item = shelf.at(i);
		item.price = i;
		shop::visits[i % 4][i % 3] += shop::twice(item, argc);
	}
	shop::first.next = &shelf.at(argc);
	std::unique_ptr<Counter> counter(argc > 3 ? new Counter : new Fast);
	auto add = [&](int by) { return counter->next() + by + fast.next(); };
	std::string text(argv[0]);
	text += std::to_string(add(2) + Counter::made++);
	std::printf("%ld %zu\n", shelf.total() + shop::first.next->count, text.size() % 2);
	return 0;
}
