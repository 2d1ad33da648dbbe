// std::thread, mutexes, futures and thread-local objects; exceptions in threads. Nobody waits in
// libstdc++ or libc.
#include "own_thread.h"

#include <atomic>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct log {
	std::vector<std::string> lines;
	~log()
	{
		total += static_cast<long>(lines.size());
	}
	static std::atomic<long> total;
};
std::atomic<long> log::total;

static thread_local log lines;
static std::mutex lock;
static std::map<std::string, long> results;
static int ids[4];

static void work(int number, const std::string &name)
{
	std::unique_lock<std::mutex> held(lock);
	long sum = 0;

	for (int i = 0; i < 10; i++) {
		lines.lines.push_back(name + " does its work " + std::to_string(i));
		sum += static_cast<long>(lines.lines.back().size());
	}
	try {
		if (number % 2)
			throw std::runtime_error(name);
		results[name] = sum;
	} catch (const std::exception &e) {
		results[e.what()] = -sum;
	}
}

static void begin(int number)
{
	ids[number] = thread_id();
	wake_word(&ids[number]);
}

static void end(int number)
{
	wait_for_word(&ids[number]);
	wait_for_end(ids[number]);
}

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();

	for (int number = 0; number < 3; number++) {
		std::thread thread([number] {
			begin(number);
			work(number, "thread " + std::to_string(number));
		});
		end(number);
		thread.join();
	}
	std::thread last([&promise] {
		begin(3);
		promise.set_value(11);
	});
	end(3);
	last.join();
	for (auto &result : results)
		std::printf("%s %ld\n", result.first.c_str(), result.second);
	std::printf("%d %ld\n", future.get(), log::total.load());
	return 0;
}
