// Loads two libraries of one name, which have functions of one name, and has such itself.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

struct Shelf {
	char letters[13];
};

Shelf shelf;
static int visits;

static int helper(int i)
{
	return shelf.letters[i % 13] += static_cast<char>(++visits % 3);
}

static long load(const char *program, const char *folder, int count)
{
	char path[4096];
	const char *slash = strrchr(program, '/');
	snprintf(path, sizeof path, "%.*s/%s/libshelf.so", static_cast<int>(slash - program), program,
			folder);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return -1;
	long (*run)(int) = reinterpret_cast<long (*)(int)>(dlsym(library, "run"));
	return run(count);
}

int main(int, char **arguments)
{
	long sum = 0;
	for (int i = 0; i < 6; i++)
		sum += helper(i);
	long one = load(arguments[0], "one", 4), two = load(arguments[0], "two", 5);
	return one < 0 || two < 0 || sum + one + two == 0;
}
