#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>
int main() {
    std::deque<std::packaged_task<int()>> tasks;
    std::vector<std::future<int>> results;
    std::mutex lock;
    for (int i = 0; i < 20; i++) {
        tasks.emplace_back([i] { return i * i; });
        results.push_back(tasks.back().get_future());
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&] {
            for (;;) {
                std::packaged_task<int()> task;
                {
                    std::lock_guard<std::mutex> guard(lock);
                    if (tasks.empty()) return;
                    task = std::move(tasks.front());
                    tasks.pop_front();
                }
                task();
            }
        });
    int sum = 0;
    for (auto &result : results) sum += result.get();
    for (auto &thread : threads) thread.join();
    return sum != 2470;
}
