// Data are handed over by an atomic variable on a stack; other data are not.
#include <atomic>
#include <thread>

long handed;
long raced;

int main()
{
	std::atomic<int> left{ 1 };
	std::thread other([&] {
		handed = 42;
		left.fetch_sub(1);
	});
	while (left.load(std::memory_order_acquire) != 0)
		std::this_thread::yield();
	handed++;
	other.join();
	auto race = [] { raced++; };
	std::thread first(race), second(race);
	first.join();
	second.join();
}
