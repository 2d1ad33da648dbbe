// Smart pointers, optional, variant and arrays, and typedefs of one name in several classes.
#include <array>
#include <memory>
#include <optional>
#include <variant>

struct Node {
	using value_type = long;
	value_type value = 3;
	std::shared_ptr<Node> next;
};

struct Leaf {
	using value_type = char;
	value_type value[5] = "leaf";
};

Node::value_type counted_nodes;
Leaf::value_type counted_leaves[3];
std::array<int, 3> three;
std::array<int, 7> seven;

int main()
{
	auto first = std::make_shared<Node>();
	first->next = std::make_shared<Node>();
	auto leaf = std::make_unique<Leaf>();
	std::optional<long> found;
	std::variant<int, Leaf> one = 3;
	std::variant<long, Node> other = Node();
	for (int i = 0; i < 5; i++) {
		found = found.value_or(0) + first->next->value;
		leaf->value[i % 4]++;
		counted_leaves[i % 3]++;
		three[i % 3] += i;
		seven[i % 7] += i;
		counted_nodes += std::get<Node>(other).value + std::get<int>(one);
	}
	return *found + counted_nodes == three[1];
}
