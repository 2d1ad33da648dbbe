// A library that replaces the plain operators new and delete, and counts which of them are called:
// by all forms of its own.
#include <cstdio>
#include <cstdlib>
#include <new>

static int plain, quiet, deleted;

void *operator new(std::size_t size)
{
	plain++;
	if (size > 1u << 20)
		throw size;
	return std::malloc(size);
}

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
	quiet++;
	return std::malloc(size);
}

void operator delete(void *p) noexcept
{
	deleted++;
	std::free(p);
}

void operator delete(void *p, std::size_t) noexcept
{
	deleted += 100;
	std::free(p);
}

extern "C" void counting(const char *order)
{
	void *volatile kept = operator new(5);

	operator delete(kept);
	kept = new int[3];
	delete[] static_cast<int *>(kept);
	kept = new (std::nothrow) long;
	delete static_cast<long *>(kept);
	kept = nullptr;
	operator delete(kept);
	try {
		kept = operator new(2u << 20);
	} catch (std::size_t size) {
		std::printf("threw %zu\n", size);
	}
	std::printf("%s: plain %d, nothrow %d, deleted %d\n", order, plain, quiet, deleted);
}
