/* What threads share, each under something else: a lock of its own, one of several, none, atomic. */
#include <atomic>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <vector>

struct Account {
	std::mutex m;
	long balance = 0;
};

static const int rounds = 200, accounts_count = 20;
static std::vector<Account> accounts(accounts_count);
static std::mutex first, second, stripes[4];
static struct {
	int left, right;
} halves;
static std::atomic<long> operations;
static struct {
	std::atomic<int> counted;
	int beside;
} mates;
static long cells[16], in_part[4], bare, in_turn, mixed;
static std::shared_mutex table;
static long by_readers;
static volatile long by_writers;
static volatile long limit, told, early;
static pthread_barrier_t all;

template <class T> static void grow(volatile T &what)
{
	what = what + 1;
}

template <class T> static void grow_under(std::mutex &lock, T &what)
{
	std::lock_guard<std::mutex> guard(lock);

	grow(what);
}

static void work(int self)
{
	if (!self)
		told = early = rounds;
	(void)early;
	for (int i = 0; i < limit; i++) {
		Account &account = accounts[(i * 7 + self) % accounts_count];

		grow_under(account.m, account.balance);
		grow_under(first, halves.left);
		grow_under(second, halves.right);
		grow_under(stripes[i % 4], cells[i % 16]);
		operations++;
		if (i % 2)
			grow(in_part[i % 4]);
		else
			grow_under(first, in_part[i % 4]);
		grow(bare);
		mates.counted++;
		grow(mates.beside);
		if (self)
			grow_under(first, mixed);
		if (i % 9 == self) {
			std::unique_lock<std::shared_mutex> writes(table);

			grow(by_writers);
		} else {
			std::shared_lock<std::shared_mutex> reads(table);

			grow(by_readers);
			(void)by_writers;
		}
	}
	for (int turn = 0; turn < 3; turn++) {
		pthread_barrier_wait(&all);
		if (self == turn)
			grow(in_turn);
		(void)told;
	}
	if (!self)
		grow(mixed); /* the others are done, and say so at the barrier */
}

int main()
{
	long sum = 0;

	limit = rounds;
	pthread_barrier_init(&all, nullptr, 3);
	{
		std::thread one(work, 0), two(work, 1), three(work, 2);

		one.join();
		two.join();
		three.join();
	}
	for (Account &account : accounts)
		sum += account.balance;
	std::printf("%ld %ld %d\n", sum, operations.load(), halves.left + halves.right);
	return 0;
}
