// Variables on stacks, in functions with names of all kinds.
#include <cstdio>
#include <pthread.h>

namespace shop
{
struct Item {
	int price;
	double weights[3];
};

template <class T> struct Box {
	T items[4];

	__attribute__((noinline)) T *find(int index)
	{
		volatile int chosen = index & 3;
		return &items[chosen];
	}
};

__attribute__((noinline)) double total(Item &item, int count)
{
	Box<Item> box = {};
	double sums[5];
	box.items[count & 3] = item;
	Item *found = box.find(count);
	for (int i = 0; i < 5; i++) {
		sums[i] = found->weights[i % 3] * i;
	}
	asm volatile("" : : "r"(sums) : "memory");
	return sums[count] + found->price;
}
} // namespace shop

static void doubled(int *cells, int count)
{
	for (int i = 0; i < count; i++) {
		cells[i] = 2 * i;
	}
}

static void *run(void *result)
{
	int cells[16];
	doubled(cells, 16);
	*static_cast<int *>(result) = cells[3];
	return nullptr;
}

int main()
{
	shop::Item item = { 3, { 1, 2, 3 } };
	double sum = 0;
	int result = 0;
	pthread_t thread;
	for (int i = 0; i < 4; i++) {
		sum += shop::total(item, i);
	}
	pthread_create(&thread, nullptr, run, &result);
	pthread_join(thread, nullptr);
	std::printf("%g %d\n", sum, result);
	return 0;
}
