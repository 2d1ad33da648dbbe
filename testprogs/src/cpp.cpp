// C++: every form of new and delete, virtual calls, vector, string, map, exceptions.
#include <cstdio>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
	virtual ~shape()
	{
	}
	virtual long area() const = 0;
};

struct square : shape {
	explicit square(long s) : side(s)
	{
	}
	long area() const override
	{
		return side * side;
	}
	long side;
};

struct strip : shape {
	strip(long w, long h) : width(w), height(h)
	{
	}
	long area() const override
	{
		return width * height;
	}
	long width, height;
};

struct alignas(64) line {
	long words[8];
};

static long total;
static std::vector<long> numbers;

__attribute__((noinline)) static void forms()
{
	int *one = new int(3);
	int *many = new int[13];
	int *quiet = new (std::nothrow) int(5);
	int *quiet_many = new (std::nothrow) int[7];
	line *aligned = new line;
	line *aligned_many = new line[2];
	many[12] = *one;
	quiet_many[6] = *quiet;
	aligned->words[7] = many[12];
	aligned_many[1].words[0] = quiet_many[6];
	total += aligned->words[7] + aligned_many[1].words[0];
	delete[] aligned_many;
	delete aligned;
	delete[] quiet_many;
	operator delete(quiet, std::nothrow);
	delete[] many;
	delete one;
}

__attribute__((noinline)) static void shapes(int count)
{
	std::vector<shape *> all;
	for (int i = 0; i < count; i++)
		all.push_back(i % 2 ? static_cast<shape *>(new square(i)) : new strip(i, i + 1));
	for (shape *s : all)
		total += s->area();
	for (shape *s : all)
		delete s;
}

__attribute__((noinline)) static void check(long value)
{
	if (value > 20)
		throw std::out_of_range("more than twenty");
	numbers.push_back(value);
}

__attribute__((noinline)) static int words()
{
	std::map<std::string, int> counts;
	const char *text[] = { "the", "quick", "brown", "fox", "the", "lazy",
		"a string that is too long for the object itself", "fox" };
	for (const char *word : text)
		counts[word]++;
	return static_cast<int>(counts.size()) + counts["fox"];
}

int main()
{
	forms();
	shapes(61);
	int caught = 0;
	for (long i = 0; i < 65; i += 3)
		try {
			check(i);
		} catch (const std::exception &) {
			caught++;
		}
	for (long n : numbers)
		total += n;
	std::printf("cpp %ld %d %d\n", total, caught, words());
	return 0;
}
