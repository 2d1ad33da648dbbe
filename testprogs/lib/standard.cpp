// A library without operators of its own: new and delete of all forms, a failing one with a
// handler, exceptions of it.
#include <cstdio>
#include <cstdlib>
#include <new>

static int handled;

static void *volatile kept;

static void handler()
{
	if (++handled == 3)
		std::set_new_handler(nullptr);
}

struct alignas(64) wide {
	char bytes[64];
};

static void fail(std::size_t size)
{
	int before = handled;

	try {
		kept = operator new(size);
		std::printf("got it\n");
	} catch (const std::bad_alloc &e) {
		std::printf("%s after %d calls of the handler\n", e.what(), handled - before);
	} catch (std::size_t) {
		std::printf("another's exception\n");
	}
}

extern "C" void standard()
{
	kept = new int(5);
	delete static_cast<int *>(kept);
	kept = new int[5];
	delete[] static_cast<int *>(kept);
	kept = new wide;
	delete static_cast<wide *>(kept);
	kept = new (std::nothrow) char;
	operator delete(kept, std::nothrow);
	kept = nullptr;
	operator delete(kept);
	std::set_new_handler(handler);
	handled = 0;
	fail(std::size_t(1) << 60);
	fail(std::size_t(1) << 60);
	std::printf("nothrow: %p\n", operator new(std::size_t(1) << 60, std::nothrow));
	kept = operator new(2u << 20, std::nothrow);
	std::printf("%d\n", kept != nullptr);
	operator delete(kept);
}
