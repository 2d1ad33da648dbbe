// new and delete in all forms: plain, array, aligned, nothrow, sized, placement, of a class of its
// own; and those that fail.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

struct alignas(128) wide {
	long words[16];
};

struct counted {
	static int made;
	long value = 5;
	static void *operator new(std::size_t size)
	{
		made++;
		return ::operator new(size);
	}
	static void *operator new[](std::size_t size)
	{
		return std::malloc(size);
	}
	static void operator delete(void *p, std::size_t size)
	{
		made += static_cast<int>(size);
		::operator delete(p);
	}
	static void operator delete[](void *p)
	{
		std::free(p);
	}
	virtual ~counted()
	{
	}
};
int counted::made;

struct refused {
	refused()
	{
		throw 3;
	}
};

static long sum;

template <class T> __attribute__((noinline)) static T *used(T *p)
{
	sum += *reinterpret_cast<volatile char *>(p)
			+ (reinterpret_cast<std::uintptr_t>(p) % alignof(T) == 0);
	return p;
}

/* Fresh bytes hold anything. */
template <> char *used(char *p)
{
	sum += *const_cast<volatile char *>(p) = 3;
	return p;
}

static void plain_forms()
{
	for (int i = 0; i < 50; i++)
		delete used(new int(i));
	delete[] used(new long[31]());
	delete used(new (std::nothrow) int(9));
	delete[] used(new (std::nothrow) char[77]());
	::operator delete(used(static_cast<char *>(::operator new(10))), std::size_t(10));
	::operator delete[](used(static_cast<char *>(::operator new[](20))), std::size_t(20));
	::operator delete(::operator new(5, std::nothrow), std::nothrow);
	::operator delete[](::operator new[](6, std::nothrow), std::nothrow);
}

static void aligned_forms()
{
	const std::align_val_t line{ 64 };

	delete used(new wide());
	delete[] used(new wide[3]());
	delete used(new (std::nothrow) wide());
	delete[] used(new (std::nothrow) wide[2]());
	::operator delete(::operator new(100, line), line);
	::operator delete(::operator new(100, line), 100, line);
	::operator delete(::operator new(100, line, std::nothrow), line, std::nothrow);
	::operator delete[](::operator new[](100, line), line);
	::operator delete[](::operator new[](100, line), 100, line);
	::operator delete[](::operator new[](100, line, std::nothrow), line, std::nothrow);
}

static void class_forms()
{
	alignas(counted) char room[sizeof(counted)];

	delete used(new counted);
	delete[] used(new counted[4]);
	used(::new (room) counted)->~counted();
	try {
		delete new refused;
	} catch (int n) {
		sum += n;
	}
}

static int asked;

static void give_up()
{
	asked++;
	std::set_new_handler(nullptr);
}

static void failures()
{
	volatile std::size_t huge = SIZE_MAX / 4;

	sum += new (std::nothrow) char[huge] == nullptr;
	try {
		sum += reinterpret_cast<std::uintptr_t>(new int[huge * 2]);
	} catch (const std::bad_array_new_length &) {
		sum++;
	}
	std::set_new_handler(give_up);
	sum += ::operator new(huge, std::nothrow) == nullptr;
}

int main()
{
	plain_forms();
	aligned_forms();
	class_forms();
	failures();
	std::printf("%ld %d %d\n", sum, counted::made, asked);
	return 0;
}
