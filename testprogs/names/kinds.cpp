// Allocates by the containers and pointers of the library, each kind in a function of its own.
#include <any>
#include <cstdlib>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct P {
	long a;
	double b;
	char c[24];
};

bool operator<(const P &x, const P &y)
{
	return x.a < y.a;
}

template <class T> struct Own {
	using value_type = T;
	Own() = default;
	template <class U> Own(const Own<U> &)
	{
	}
	T *allocate(std::size_t n)
	{
		return static_cast<T *>(std::malloc(n * sizeof(T)));
	}
	void deallocate(T *p, std::size_t)
	{
		std::free(p);
	}
	bool operator==(const Own &) const
	{
		return true;
	}
	bool operator!=(const Own &) const
	{
		return false;
	}
};

#define NEAR __attribute__((always_inline)) inline

static long sum;

template <class C> static void use(const C &c)
{
	for (auto &x : c)
		sum += *reinterpret_cast<const char *>(&x);
}

template <class C> NEAR static void push(C &c)
{
	for (int i = 0; i < 40; i++)
		c.push_back(P{ i, 1, "" });
	use(c);
}

template <class C> NEAR static void emplace(C &c)
{
	for (int i = 0; i < 40; i++)
		c.emplace(i, P{ i, 1, "" });
	use(c);
}

#define FAR __attribute__((noinline))
FAR static void k_vector()
{
	std::vector<P> v;
	push(v);
}
FAR static void k_deque()
{
	std::deque<P> v;
	push(v);
}
FAR static void k_list()
{
	std::list<P> v;
	push(v);
}
FAR static void k_own()
{
	std::vector<P, Own<P>> v;
	push(v);
}
FAR static void k_map()
{
	std::map<int, P> v;
	emplace(v);
}
FAR static void k_multimap()
{
	std::multimap<int, P> v;
	emplace(v);
}
FAR static void k_unordered()
{
	std::unordered_map<int, P> v;
	emplace(v);
}
FAR static void k_forward()
{
	std::forward_list<P> v;
	v.push_front(P{ 1, 1, "" });
	use(v);
}
FAR static void k_set()
{
	std::set<P> v;
	v.insert(P{ 1, 1, "" });
	use(v);
}
FAR static void k_hashed()
{
	std::unordered_set<char> v;
	v.insert('a');
	use(v);
}
FAR static void k_reserve()
{
	std::vector<float> v;
	v.reserve(100);
	v.push_back(2);
	use(v);
}
FAR static void k_pmr()
{
	std::pmr::vector<P> v(10);
	use(v);
}
FAR static void k_queue()
{
	std::priority_queue<P> v;
	v.push(P{ 1, 1, "" });
	sum += v.top().a;
}
FAR static void k_shared()
{
	auto p = std::make_shared<P>();
	sum += p->a;
}
FAR static void k_array()
{
	auto p = std::make_unique<P[]>(10);
	sum += p[1].a;
}
FAR static void k_allocate()
{
	auto p = std::allocate_shared<P>(Own<P>());
	sum += p->a;
}
FAR static void k_control()
{
	std::shared_ptr<P> p(new P{ 4, 2, "" });
	sum += p->a;
}
FAR static void k_string()
{
	std::string s(100, 'x');
	s += "y";
	use(s);
}
FAR static void k_any()
{
	std::any a = P{ 3, 2, "" };
	sum += std::any_cast<P>(&a)->a;
}

FAR static void k_function()
{
	P big{ 1, 2, "" };
	std::function<long()> f = [big] { return big.a; };

	sum += f();
}

FAR static void k_malloc()
{
	P *p = static_cast<P *>(std::malloc(5 * sizeof(P)));

	*const_cast<volatile long *>(&p->a) = 1;
	sum += p->a;
	std::free(p);
}

int main()
{
	k_vector(), k_deque(), k_list(), k_own(), k_map(), k_multimap(), k_unordered();
	k_forward(), k_set(), k_hashed(), k_reserve(), k_pmr(), k_queue(), k_shared();
	k_array(), k_allocate(), k_control(), k_string(), k_any(), k_function(), k_malloc();
	return sum == 1;
}
