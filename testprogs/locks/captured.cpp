// What threads do to a variable and an array of the function that made them, by reference.
#include <array>
#include <cstdio>
#include <thread>
#include <vector>

int main()
{
	volatile int counter = 0;
	std::array<volatile int, 4> done{};
	std::vector<std::thread> threads;

	for (int self = 0; self < 4; self++)
		threads.emplace_back([&counter, &done, self] {
			for (int i = 0; i < 1000; i++)
				counter = counter + 1;
			done[self] = 1;
		});
	for (std::thread &thread : threads)
		thread.join();
	std::printf("%d %d\n", counter, done[0] + done[3]);
}
