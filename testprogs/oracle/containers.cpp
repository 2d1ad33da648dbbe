// The containers and algorithms of libstdc++, and strings long and short; allocators that are asked
// for much and little.
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct point {
	int x, y;
	bool operator<(const point &other) const
	{
		return x != other.x ? x < other.x : y < other.y;
	}
};

static long ordered()
{
	std::map<std::string, int> ages;
	std::set<point> points;
	std::multimap<int, std::string> names;
	long sum = 0;

	for (int i = 0; i < 40; i++) {
		ages["name of person " + std::to_string(i * 7 % 31)] += i;
		points.insert({ i * 5 % 11, i % 4 });
		names.emplace(i % 6, std::string(static_cast<std::size_t>(i), 'x'));
	}
	for (auto &[name, age] : ages)
		sum += static_cast<long>(name.size()) * age;
	ages.erase("name of person 3");
	points.erase(points.begin(), points.find({ 5, 1 }));
	for (auto range = names.equal_range(4); range.first != range.second; ++range.first)
		sum += static_cast<long>(range.first->second.size());
	return sum + static_cast<long>(points.size());
}

static long sequences()
{
	std::vector<int> numbers(50);
	std::deque<std::string> words;
	std::list<double> list{ 3.5, 1.5, 2.5 };
	std::priority_queue<int> queue;

	std::iota(numbers.begin(), numbers.end(), 3);
	std::reverse(numbers.begin(), numbers.end());
	std::stable_sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 10 < b % 10; });
	for (int n : numbers) {
		queue.push(n);
		words.push_front(std::string(static_cast<std::size_t>(n), 'w'));
		if (n % 3 == 0)
			words.pop_back();
	}
	list.sort();
	list.splice(list.begin(), std::list<double>{ 9.5, 8.5 });
	numbers.insert(numbers.begin() + 5, 17, -1);
	numbers.shrink_to_fit();
	return queue.top() + static_cast<long>(words.size()) + static_cast<long>(list.front())
			+ std::accumulate(numbers.begin(), numbers.end(), 0L);
}

static long hashed()
{
	std::unordered_map<std::string, std::shared_ptr<point>> table;
	std::variant<int, std::string> either = "text that is too long to be short";
	std::optional<std::array<int, 9>> maybe;
	std::weak_ptr<point> seen;
	long sum = 0;

	for (int i = 0; i < 60; i++)
		table["key " + std::to_string(i % 23)] = std::make_shared<point>(point{ i, -i });
	seen = table["key 5"];
	for (auto &entry : table)
		sum += entry.second->x;
	table.clear();
	maybe.emplace().fill(4);
	sum += seen.expired() + (*maybe)[3] + static_cast<long>(std::get<std::string>(either).size());
	either = 5;
	return sum + std::get<int>(either);
}

int main()
{
	std::unique_ptr<int[]> block(new int[33]());
	std::string text = "short";

	text += " and then no longer short at all, so that it moves to the heap";
	std::printf("%ld %ld %ld %d %zu\n", ordered(), sequences(), hashed(), block[32],
			text.find("heap"));
	return 0;
}
