/*
 * Values of C++: enumerations with types, members of classes, what lambdas hold, templates. Writes
 * sums.
 */
#include <cstdio>
#include <string_view>
#include <vector>

#define KEEP(value) __asm__ volatile("" : "+r"(value))

namespace
{
enum class Kind : unsigned char { low = 1, high = 200 };
enum Old { A = -3, B = 7 };

struct Vector {
	double x, y;
	float z;
};
} // namespace

extern "C" __attribute__((noinline)) double length(const Vector &of, float more)
{
	double sum = of.x * of.x;
	int turns = 2;

	KEEP(turns);
	for (int i = 0; i < turns; i++) {
		sum += of.y * of.y + more;
		__asm__ volatile("" : "+x"(sum));
	}
	return sum + of.z;
}

extern "C" __attribute__((noinline)) long number_of(std::string_view text, char sought, Kind kind,
		Old old)
{
	long found = 0;

	for (const char letter : text) {
		found += letter == sought;
		KEEP(found);
	}
	return found + (kind == Kind::high ? 1 : 0) + old;
}

extern "C" __attribute__((noinline)) float mean(const std::vector<float> &all)
{
	float sum = 0;
	std::size_t taken = 0;

	for (const float number : all) {
		sum += number;
		++taken;
		KEEP(taken);
	}
	return taken ? sum / (float)taken : -1;
}

extern "C" __attribute__((noinline)) int applied(int factor, float added)
{
	const auto apply = [by = factor, more = added](int to) { return by * to + (int)more; };
	int result = 0;

	for (int i = 0; i < factor; i++) {
		result += apply(i);
		KEEP(result);
	}
	return result;
}

int main()
{
	long total = 0;
	double sum = 0;

	for (int i = 0; i < 4; i++) {
		std::vector<float> all;
		const Vector one = { i * 0.5, -1.0 * i, 0.25f };

		for (int k = 0; k < i; k++)
			all.push_back((float)k * 0.3f);
		total += number_of("a banana" + i, 'a', i & 1 ? Kind::high : Kind::low, i & 1 ? A : B);
		sum += mean(all) + length(one, (float)i);
		total += applied(i, (float)i * 0.9f);
	}
	printf("%ld %g\n", total, sum);
	return 0;
}
