// Throws through frames of C and of libc.
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int compare_or_throw(const void *a, const void *b)
{
	int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);

	if (x == 13 || y == 13)
		throw std::runtime_error("met " + std::to_string(x < y ? y : x));
	return x - y;
}

extern "C" int deep(int n)
{
	std::vector<int> local(static_cast<size_t>(n + 1), n);

	if (n == 0)
		throw std::out_of_range("bottom");
	return deep(n - 1) + local.at(0);
}
