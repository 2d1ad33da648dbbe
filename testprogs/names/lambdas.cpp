// Lambdas: several in one function, in templates and as members; those of one line, too.
#include <functional>
#include <vector>

static int seen;

template <typename F> int apply(F of, int count)
{
	int sum = 0;
	for (int i = 0; i < count; i++)
		sum += of(i);
	return sum;
}

template <typename F, typename G> int both(F first, G second)
{
	return first() + second();
}

struct Holder {
	std::function<int(int)> kept = [](int x) { return x + seen; };
};

static int twice(std::vector<int> &of)
{
	auto add = [&of](int x) {
		of.push_back(x);
		return x;
	};
	auto take = [&of](int x) { return of[x]; };
	return apply(add, 5) + apply(take, 5);
}

int main()
{
	std::vector<int> numbers;
	int *counted = new int[3]();
	Holder holder;
	auto first = [&](int x) {
		seen++;
		return counted[x % 3]++;
	};
	auto second = [&](int x) {
		seen += 2;
		return counted[x % 3] + x;
	};
	auto third = [&](long x) {
		seen += 3;
		return static_cast<int>(x) + counted[0];
	};
	int sum = apply(first, 3) + apply(second, 4) + apply(third, 6);
	sum += twice(numbers) + apply(holder.kept, 2);
	sum += both([] { return seen; }, [] { return seen + 1; });
	delete[] counted;
	return sum == 0;
}
