// Exceptions: through functions with objects to destroy, nested, rethrown, kept, of derived types;
// casts and type information at run time.
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

struct base {
	virtual ~base() = default;
	virtual int number() const
	{
		return 1;
	}
};
struct left : virtual base {
	int number() const override
	{
		return 2;
	}
};
struct right : virtual base {
	int value = 7;
};
struct both : left, right {
	int number() const override
	{
		return 3;
	}
};

static int destroyed;

struct guard {
	explicit guard(int n) : name("guard number " + std::to_string(n))
	{
	}
	~guard()
	{
		destroyed += static_cast<int>(name.size());
	}
	std::string name;
};

__attribute__((noinline)) static int descend(int depth)
{
	guard one(depth);

	if (depth == 0)
		throw std::out_of_range("the bottom");
	return descend(depth - 1) + static_cast<int>(one.name.size());
}

static std::exception_ptr kept()
{
	try {
		std::vector<int>(3).at(5) = 1;
	} catch (...) {
		return std::current_exception();
	}
	return nullptr;
}

static void nested()
{
	try {
		descend(1);
	} catch (const std::exception &) {
		std::throw_with_nested(std::runtime_error("outer"));
	}
}

int main()
{
	std::unique_ptr<base> object = std::make_unique<both>();

	for (int depth = 0; depth < 3; depth++) {
		try {
			descend(depth);
		} catch (const std::logic_error &e) {
			std::printf("%s %d\n", e.what(), destroyed);
		}
	}
	try {
		nested();
	} catch (const std::exception &e) {
		try {
			std::rethrow_if_nested(e);
		} catch (const std::out_of_range &inner) {
			std::printf("%s in %s\n", inner.what(), e.what());
		}
	}
	try {
		std::rethrow_exception(kept());
	} catch (const std::out_of_range &) {
		std::puts("kept");
	}
	try {
		throw 7;
	} catch (int n) {
		std::printf("%d %d %d\n", n, dynamic_cast<right *>(object.get())->value,
				typeid(*object) == typeid(both));
	}
	try {
		dynamic_cast<left &>(*std::make_unique<base>());
	} catch (const std::bad_cast &) {
		std::puts("no cast");
	}
	return 0;
}
