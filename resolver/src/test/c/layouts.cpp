// Classes of every kind, whose layouts are compared with the debugger's.
#include <array>
#include <string>
#include <vector>

struct Empty {
};
struct Base {
	int id;
	char kind;
};
struct Other {
	double weight;
	virtual ~Other() = default;
};
class Derived : public Base, protected Other
{
  public:
	short tail;
	static long made;
	enum class Mode : unsigned char { off, on } mode;
	struct Part {
		long a;
		Derived *owner;
	} parts[2];
	int &ref;
	int Derived::Part::*none = nullptr;
	long Base2() const
	{
		return parts[0].a;
	}
	explicit Derived(int &to) : ref(to)
	{
	}
};
long Derived::made = 3;
struct Tagged : Empty {
	char c;
	unsigned low : 4, high : 9;
};
template <typename T, int N> struct Ring {
	T slots[N];
	int at = 0;
};
namespace app
{
namespace detail
{
int depth[3];
}
int target;
Derived derived(target);
Ring<Tagged, 3> ring;
namespace
{
Ring<long, 2> secret;
}
} // namespace app
std::array<std::array<short, 4>, 2> grid;
std::string text = "x";
std::vector<int> numbers;
union Choice {
	Base base;
	Tagged tagged;
	long all;
} choice;

int main(int argc, char **)
{
	static Ring<Base, 2> inside;
	app::secret.at += argc + inside.at++;
	return app::derived.mode == Derived::Mode::on ? app::detail::depth[argc % 3] : 0;
}
