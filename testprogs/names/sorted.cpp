// With -O2: instances of sort, clones and inlined functions.
#include <algorithm>
#include <string>
#include <vector>

struct Card {
	int suit;
	long rank;
};

static bool by_rank(const Card &one, const Card &other)
{
	return one.rank < other.rank;
}

static __attribute__((noinline)) long fold(const long *of, int count, int step)
{
	long sum = 0;
	for (int i = 0; i < count; i += step)
		sum += of[i];
	return sum;
}

int main()
{
	std::vector<Card> cards;
	std::vector<long> numbers;
	std::vector<std::string> names;
	for (int i = 0; i < 23; i++) {
		cards.push_back({ i % 4, i * 7 % 23 });
		numbers.push_back(i * 5 % 17);
		names.push_back("a name that is long enough " + std::to_string(i * 3 % 11));
	}
	std::sort(cards.begin(), cards.end(), by_rank);
	std::sort(cards.begin(), cards.end(),
			[](const Card &one, const Card &other) { return one.suit < other.suit; });
	std::sort(numbers.begin(), numbers.end());
	std::sort(names.begin(), names.end());
	return fold(numbers.data(), 23, 1) + fold(numbers.data(), 12, 1) == cards[0].rank;
}
