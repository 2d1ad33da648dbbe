// Types, functions and variables of one name in several namespaces.
#include <cstdlib>

struct Item {
	int global;
};

namespace a
{
struct Item {
	long left;
	long price() const
	{
		return left * 3;
	}
};
Item shelf[3];
long total(const Item *of, int count)
{
	long sum = 0;
	for (int i = 0; i < count; i++)
		sum += of[i].price();
	return sum;
}
} // namespace a

namespace b
{
struct Item {
	double right[2];
	double price() const
	{
		return right[0] + right[1];
	}
};
Item shelf[5];
double total(const Item *of, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += of[i].price();
	return sum;
}
namespace inner
{
struct Item {
	short deep;
};
Item shelf;
} // namespace inner
} // namespace b

Item shelf;

template <typename T> T *made(int count)
{
	return static_cast<T *>(calloc(count, sizeof(T)));
}

int main()
{
	a::Item *one = new a::Item[2]();
	b::Item *other = new b::Item[3]();
	Item *plain = new Item();
	a::Item *third = made<a::Item>(2);
	b::Item *fourth = made<b::Item>(4);
	for (int i = 0; i < 3; i++) {
		a::shelf[i].left = i;
		b::shelf[i].right[1] = i;
		other[i].right[0] = i;
		fourth[i].right[1]++;
	}
	one[1].left = 5;
	third[1].left = 7;
	plain->global = 1;
	shelf.global = plain->global;
	b::inner::shelf.deep = 3;
	long sum = a::total(a::shelf, 3) + a::total(one, 2);
	sum += static_cast<long>(b::total(b::shelf, 5) + b::total(other, 3));
	delete[] one;
	delete[] other;
	delete plain;
	free(third);
	free(fourth);
	return sum == 0;
}
