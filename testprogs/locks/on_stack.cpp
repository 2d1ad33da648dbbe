// Two locks in variables on the main thread's stack, which other threads use by reference.
#include <mutex>
#include <thread>

struct Queue {
	int count;
	std::mutex guard;
};

int main()
{
	Queue queue{ 0, {} };
	std::mutex alone;
	auto work = [&] {
		for (int i = 0; i < 3; i++) {
			{
				std::lock_guard<std::mutex> lock(queue.guard);
				queue.count++;
			}
			std::lock_guard<std::mutex> lock(alone);
		}
	};
	std::thread first(work), second(work);
	first.join();
	second.join();
	return queue.count != 6;
}
