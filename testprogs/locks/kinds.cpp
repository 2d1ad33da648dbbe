/*
 * Locks of every kind in every form, by threads (argument 1), which signals interrupt as they wait.
 * Waits that end by time, tries that fail, C11's and C++'s locks. It says nothing: whoever counts
 * its calls knows what it does.
 */
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>
#include <threads.h>
#include <vector>

namespace
{

const int ROUNDS = 5;

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t recursive, checked, robust;
pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
sem_t units, none, told, last;
mtx_t c11;
cnd_t c11_turned;
once_flag c11_once = ONCE_FLAG_INIT;
int turn;
std::mutex standard;
std::timed_mutex timed;
std::recursive_mutex twice;
std::shared_mutex shared;
std::condition_variable ready;
bool is_ready;
std::once_flag standard_once;
volatile int done;

void check(bool good)
{
	if (!good)
		abort();
}

timespec soon(int milliseconds)
{
	timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += milliseconds * 1000000L;
	time.tv_sec += time.tv_nsec / 1000000000L;
	time.tv_nsec %= 1000000000L;
	return time;
}

/* Adds a unit while its thread waits for another lock. */
void on_signal(int)
{
	int error = errno;
	sem_post(&told);
	errno = error;
}

void mutexes()
{
	timespec time = soon(2);

	pthread_mutex_lock(&checked);
	check(pthread_mutex_lock(&checked) == EDEADLK);
	check(pthread_mutex_trylock(&checked) == EBUSY);
	pthread_mutex_unlock(&checked);
	check(pthread_mutex_unlock(&checked) == EPERM);
	pthread_mutex_lock(&recursive);
	check(pthread_mutex_trylock(&recursive) == 0);
	pthread_mutex_lock(&recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_lock(&plain);
	check(pthread_mutex_timedlock(&plain, &time) == ETIMEDOUT);
	time = soon(2);
	check(pthread_cond_timedwait(&never, &plain, &time) == ETIMEDOUT);
	pthread_mutex_unlock(&plain);
	pthread_spin_lock(&spin);
	check(pthread_spin_trylock(&spin) == EBUSY);
	pthread_spin_unlock(&spin);
	if (pthread_spin_trylock(&spin) == 0)
		pthread_spin_unlock(&spin);
}

void read_write_locks()
{
	timespec time = soon(2);

	if (pthread_rwlock_tryrdlock(&readers) == 0)
		pthread_rwlock_unlock(&readers);
	if (pthread_rwlock_trywrlock(&readers) == 0) {
		check(pthread_rwlock_tryrdlock(&readers) != 0);
		pthread_rwlock_unlock(&readers);
	}
	pthread_rwlock_rdlock(&readers);
	check(pthread_rwlock_trywrlock(&readers) == EBUSY);
	check(pthread_rwlock_timedwrlock(&readers, &time) != 0);
	pthread_rwlock_unlock(&readers);
	time = soon(1);
	if (pthread_rwlock_timedrdlock(&readers, &time) == 0)
		pthread_rwlock_unlock(&readers);
	pthread_rwlock_wrlock(&readers);
	pthread_rwlock_unlock(&readers);
}

void semaphores()
{
	timespec time = soon(2);

	check(sem_trywait(&none) == -1);
	check(sem_timedwait(&none, &time) == -1);
	while (sem_wait(&units) != 0) {}
	sem_post(&units);
	if (sem_trywait(&units) == 0)
		sem_post(&units);
}

void once()
{
}

void c11_locks(int self)
{
	timespec time = soon(2);

	call_once(&c11_once, once);
	mtx_lock(&c11);
	check(mtx_trylock(&c11) == thrd_busy);
	check(cnd_timedwait(&c11_turned, &c11, &time) != thrd_error);
	mtx_unlock(&c11);
	mtx_lock(&c11);
	while (turn < self)
		cnd_wait(&c11_turned, &c11);
	turn = turn == self ? turn + 1 : turn;
	cnd_broadcast(&c11_turned);
	mtx_unlock(&c11);
}

void standard_locks()
{
	std::call_once(standard_once, once);
	{
		std::unique_lock<std::mutex> lock(standard);
		ready.wait_for(lock, std::chrono::milliseconds(1), [] { return is_ready; });
		is_ready = true;
		ready.notify_all();
		ready.wait(lock, [] { return is_ready; });
	}
	if (timed.try_lock_for(std::chrono::milliseconds(3)))
		timed.unlock();
	{
		std::lock_guard<std::recursive_mutex> outer(twice);
		std::lock_guard<std::recursive_mutex> inner(twice);
	}
	{
		std::shared_lock<std::shared_mutex> lock(shared);
	}
	std::unique_lock<std::shared_mutex> lock(shared);
}

void work(int self)
{
	for (int i = 0; i < ROUNDS; i++) {
		mutexes();
		read_write_locks();
		semaphores();
		c11_locks(self);
		standard_locks();
	}
}

int die(void *)
{
	return pthread_mutex_lock(&robust);
}

/* The thread dies with the lock. */
void owner_dies()
{
	thrd_t thread;

	check(thrd_create(&thread, die, nullptr) == thrd_success);
	thrd_join(thread, nullptr);
	check(pthread_mutex_lock(&robust) == EOWNERDEAD);
	pthread_mutex_consistent(&robust);
	pthread_mutex_unlock(&robust);
}

void make_locks()
{
	pthread_mutexattr_t attributes;
	struct sigaction action = {};

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checked, &attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	pthread_spin_init(&spin, 0);
	sem_init(&units, 0, 2);
	sem_init(&none, 0, 0);
	sem_init(&told, 0, 0);
	sem_init(&last, 0, 0);
	mtx_init(&c11, mtx_timed);
	cnd_init(&c11_turned);
	action.sa_handler = on_signal;
	sigaction(SIGUSR1, &action, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 2;
	std::vector<std::thread> threads;
	std::vector<pthread_t> names;
	timespec pause = { 0, 3000000 };

	make_locks();
	owner_dies();
	for (int i = 0; i < count; i++) {
		threads.emplace_back([i] {
			work(i);
			__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
			while (sem_wait(&last) != 0) {} /* stays, so that it can be told */
		});
		names.push_back(threads.back().native_handle());
	}
	while (done < count) {
		for (pthread_t name : names)
			pthread_kill(name, SIGUSR1);
		nanosleep(&pause, nullptr);
	}
	for (int i = 0; i < count; i++)
		sem_post(&last);
	for (std::thread &thread : threads)
		thread.join();
	return 0;
}
