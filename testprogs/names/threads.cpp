// Functions that threads run, bound with arguments: names of several hundred letters.
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

struct Order {
	int number;
	double price;
};

static std::map<std::string, std::vector<Order>> orders;

static void fill(std::map<std::string, std::vector<Order>> *of, int count)
{
	for (int i = 0; i < count; i++)
		(*of)["customer " + std::to_string(i % 3)].push_back({ i, i * 0.5 });
}

static void sum(const std::map<std::string, std::vector<Order>> &of, double *to)
{
	for (const auto &each : of)
		for (const Order &order : each.second)
			*to += order.price;
}

int main()
{
	double total = 0;
	std::thread filler(fill, &orders, 13);
	filler.join();
	std::thread summer(sum, std::cref(orders), &total);
	summer.join();
	return total == 0;
}
