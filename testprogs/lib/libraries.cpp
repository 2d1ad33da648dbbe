// Loads libplugin.so in a loop, binds late and early, throws through libraries, allocates in all
// ways.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern "C" int compare_or_throw(const void *, const void *);
extern "C" int deep(int);

static std::string place;

static void plugins()
{
	for (int i = 0; i < 12; i++) {
		void *library = dlopen((place + "/libplugin.so").c_str(), i % 2 ? RTLD_NOW : RTLD_LAZY);
		auto plugin = reinterpret_cast<int (*)(int)>(library ? dlsym(library, "plugin") : nullptr);
		int elsewhere = 0;

		if (!plugin) {
			std::printf("no plugin: %s\n", dlerror());
			return;
		}
		std::thread thread([&] { elsewhere = plugin(2); });
		thread.join();
		std::printf("%d %d %d\n", plugin(i), plugin(i), elsewhere);
		dlclose(library);
	}
}

static void exceptions()
{
	int numbers[] = { 5, 3, 13, 1 };
	int caught = 0;

	for (int i = 0; i < 14; i++) {
		try {
			deep(i % 7);
		} catch (const std::out_of_range &e) {
			caught += std::strlen(e.what());
		}
	}
	try {
		std::qsort(numbers, 4, sizeof *numbers, compare_or_throw);
	} catch (const std::exception &e) {
		std::printf("%s\n", e.what());
	}
	std::printf("caught %d\n", caught);
}

static void allocations()
{
	std::vector<std::unique_ptr<int[]>> all;
	void *aligned = nullptr;
	long sum = 0;

	for (int i = 1; i < 200; i++) {
		all.push_back(std::make_unique<int[]>(static_cast<size_t>(i + 1)));
		all.back()[i] = i;
		sum += all.back()[i];
		if (i % 3 == 0)
			all.erase(all.begin());
	}
	if (posix_memalign(&aligned, 256, 1000) == 0)
		std::memset(aligned, 1, 1000);
	aligned = std::realloc(aligned, 100000);
	sum += static_cast<char *>(aligned)[999];
	std::free(aligned);
	std::printf("sum %ld\n", sum);
}

int main(int argc, char **argv)
{
	const char *answer = std::getenv("MADT_TEST_ANSWER");

	place = argc > 1 ? argv[1] : ".";
	std::printf("answer: %s\n", answer ? answer : "none");
	plugins();
	exceptions();
	allocations();
	return 3;
}
