// Blocks whose type only the arguments of templates tell.
#include <cstdlib>
#include <memory>
#include <vector>

struct Leaf {
	int count;
	double sums[2];
};

template <class T> struct Pool {
	T *get()
	{
		return new T();
	}
	T *several(int count)
	{
		void *room = std::malloc(count * sizeof(T));
		return static_cast<T *>(room);
	}
};

template <class T> T *make()
{
	void *room = std::malloc(sizeof(T));
	return static_cast<T *>(room);
}

template <class T> struct Plain {
	using value_type = T;
	Plain() = default;
	template <class U> Plain(const Plain<U> &)
	{
	}
	T *allocate(std::size_t count)
	{
		return static_cast<T *>(::operator new(count * sizeof(T)));
	}
	void deallocate(T *block, std::size_t)
	{
		::operator delete(block);
	}
	bool operator==(const Plain &) const
	{
		return true;
	}
	bool operator!=(const Plain &) const
	{
		return false;
	}
};

template <class T> void use(T *first, T value)
{
	*first = value;
	asm volatile("" : : "r"(first) : "memory");
}

int main()
{
	Pool<Leaf> pool;
	Pool<short> shorts;
	auto one = std::make_unique<Leaf>();
	auto many = std::make_unique<Leaf[]>(4);
	auto numbers = std::make_unique<unsigned[]>(5);
	std::vector<Leaf, Plain<Leaf>> leaves(3);
	Leaf *single = pool.get();
	short *several = shorts.several(6);
	long *made = make<long>();
	use(one.get(), Leaf());
	use(&many[2], Leaf());
	use(&numbers[1], 7u);
	use(&leaves[1], Leaf());
	use(single, Leaf());
	use(several + 2, short(3));
	use(made, 5L);
	delete single;
	std::free(several);
	std::free(made);
	return 0;
}
