/*
 * Writes down each call of a lock function that a program and its libraries make, to compare with
 * what a recording of the same run says. Preloaded, with the name of the log in LOCK_LOG, and of the
 * program whose calls are meant in LOCK_PROGRAM; it knows nothing of MadT. What the C library calls
 * within itself does not come by here.
 *
 * The log, words of 64 bits: how many records were begun, at 0; records from 64 on:
 *
 *   thread | function | lock | mutex of a wait | return address | result | records | 0
 *
 * The function is the number of its line in LOCK_FUNCTIONS; 0: main is called. "records" says how
 * many were begun when it returned, by which it has its place behind the calls that were made
 * meanwhile. A thread that the end of the process interrupts leaves it at 0.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 8, FIRST = 64 / 8, MOST = 1 << 22 };

typedef int main_function(int, char **, char **);

static unsigned long *log_words;
static int meant;
static main_function *program;
static __thread unsigned long self;

/* Returns whether this is the program, and not a shell that starts it. */
static int is_meant(void)
{
	const char *name = getenv("LOCK_PROGRAM");
	int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	char comm[32];
	ssize_t length = read(file, comm, sizeof comm);

	close(file);
	return name != NULL && length == (ssize_t)strlen(name) + 1
			&& strncmp(comm, name, strlen(name)) == 0;
}

static void open_log(void)
{
	static unsigned long nowhere[FIRST + WORDS];
	size_t size = (FIRST + (size_t)MOST * WORDS) * sizeof *log_words;
	const char *name = getenv("LOCK_LOG");
	int file;

	meant = is_meant();
	if (!meant) {
		log_words = nowhere;
		return;
	}
	file = name == NULL ? -1 : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || ftruncate(file, (off_t)size) != 0)
		abort();
	log_words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (log_words == MAP_FAILED)
		abort();
	close(file);
}

/* Begins a record. Allocators call this before any constructor, in the only thread. */
static unsigned long *note(unsigned long function, const volatile void *lock,
		const volatile void *mutex, const void *caller)
{
	unsigned long at, *words;

	if (log_words == NULL)
		open_log();
	if (self == 0)
		self = (unsigned long)syscall(SYS_gettid);
	at = meant ? __atomic_fetch_add(&log_words[0], 1, __ATOMIC_RELAXED) : 0;
	if (at >= MOST)
		abort();
	words = log_words + FIRST + at * WORDS;
	words[2] = (unsigned long)lock;
	words[3] = (unsigned long)mutex;
	words[4] = (unsigned long)caller;
	words[1] = function;
	__atomic_store_n(&words[0], self, __ATOMIC_RELEASE);
	return words;
}

static void returned(unsigned long *words, int result)
{
	words[5] = (unsigned long)(unsigned)result;
	__atomic_store_n(&words[6], __atomic_load_n(&log_words[0], __ATOMIC_RELAXED), __ATOMIC_RELEASE);
}

#define LOCK_FUNCTIONS(X)                                                                          \
	X(1, pthread_mutex_lock, (pthread_mutex_t * a), (a), a, 0, "2.2.5")                            \
	X(2, pthread_mutex_trylock, (pthread_mutex_t * a), (a), a, 0, "2.2.5")                         \
	X(3, pthread_mutex_timedlock, (pthread_mutex_t * a, const struct timespec *b), (a, b), a, 0,   \
			"2.2.5")                                                                               \
	X(4, pthread_mutex_clocklock, (pthread_mutex_t * a, clockid_t b, const struct timespec *c),    \
			(a, b, c), a, 0, "2.30")                                                               \
	X(5, pthread_mutex_unlock, (pthread_mutex_t * a), (a), a, 0, "2.2.5")                          \
	X(6, pthread_rwlock_rdlock, (pthread_rwlock_t * a), (a), a, 0, "2.2.5")                        \
	X(7, pthread_rwlock_tryrdlock, (pthread_rwlock_t * a), (a), a, 0, "2.2.5")                     \
	X(8, pthread_rwlock_timedrdlock, (pthread_rwlock_t * a, const struct timespec *b), (a, b), a,  \
			0, "2.2.5")                                                                            \
	X(9, pthread_rwlock_wrlock, (pthread_rwlock_t * a), (a), a, 0, "2.2.5")                        \
	X(10, pthread_rwlock_trywrlock, (pthread_rwlock_t * a), (a), a, 0, "2.2.5")                    \
	X(11, pthread_rwlock_timedwrlock, (pthread_rwlock_t * a, const struct timespec *b), (a, b), a, \
			0, "2.2.5")                                                                            \
	X(12, pthread_rwlock_unlock, (pthread_rwlock_t * a), (a), a, 0, "2.2.5")                       \
	X(13, pthread_spin_lock, (pthread_spinlock_t * a), (a), a, 0, "2.2.5")                         \
	X(14, pthread_spin_trylock, (pthread_spinlock_t * a), (a), a, 0, "2.2.5")                      \
	X(15, pthread_spin_unlock, (pthread_spinlock_t * a), (a), a, 0, "2.2.5")                       \
	X(16, sem_wait, (sem_t * a), (a), a, 0, "2.2.5")                                               \
	X(17, sem_trywait, (sem_t * a), (a), a, 0, "2.2.5")                                            \
	X(18, sem_timedwait, (sem_t * a, const struct timespec *b), (a, b), a, 0, "2.2.5")             \
	X(19, sem_clockwait, (sem_t * a, clockid_t b, const struct timespec *c), (a, b, c), a, 0,      \
			"2.30")                                                                                \
	X(20, sem_post, (sem_t * a), (a), a, 0, "2.2.5")                                               \
	X(21, pthread_cond_wait, (pthread_cond_t * a, pthread_mutex_t * b), (a, b), a, b, "2.3.2")     \
	X(22, pthread_cond_timedwait,                                                                  \
			(pthread_cond_t * a, pthread_mutex_t * b, const struct timespec *c), (a, b, c), a, b,  \
			"2.3.2")                                                                               \
	X(23, pthread_cond_clockwait,                                                                  \
			(pthread_cond_t * a, pthread_mutex_t * b, clockid_t c, const struct timespec *d),      \
			(a, b, c, d), a, b, "2.30")                                                            \
	X(24, pthread_cond_signal, (pthread_cond_t * a), (a), a, 0, "2.3.2")                           \
	X(25, pthread_cond_broadcast, (pthread_cond_t * a), (a), a, 0, "2.3.2")                        \
	X(26, pthread_barrier_wait, (pthread_barrier_t * a), (a), a, 0, "2.2.5")                       \
	X(27, pthread_once, (pthread_once_t * a, void (*b)(void)), (a, b), a, 0, "2.2.5")              \
	X(28, pthread_join, (pthread_t a, void **b), (a, b), (void *)a, 0, "2.2.5")                    \
	X(29, mtx_lock, (mtx_t * a), (a), a, 0, "2.28")                                                \
	X(30, mtx_trylock, (mtx_t * a), (a), a, 0, "2.28")                                             \
	X(31, mtx_unlock, (mtx_t * a), (a), a, 0, "2.28")                                              \
	X(32, cnd_wait, (cnd_t * a, mtx_t * b), (a, b), a, b, "2.28")                                  \
	X(33, cnd_signal, (cnd_t * a), (a), a, 0, "2.28")                                              \
	X(34, cnd_broadcast, (cnd_t * a), (a), a, 0, "2.28")                                           \
	X(35, mtx_timedlock, (mtx_t * a, const struct timespec *b), (a, b), a, 0, "2.28")              \
	X(36, cnd_timedwait, (cnd_t * a, mtx_t * b, const struct timespec *c), (a, b, c), a, b,        \
			"2.28")                                                                                \
	X(37, pthread_rwlock_clockrdlock,                                                              \
			(pthread_rwlock_t * a, clockid_t b, const struct timespec *c), (a, b, c), a, 0,        \
			"2.30")                                                                                \
	X(38, pthread_rwlock_clockwrlock,                                                              \
			(pthread_rwlock_t * a, clockid_t b, const struct timespec *c), (a, b, c), a, 0,        \
			"2.30")                                                                                \
	X(39, pthread_create, (pthread_t * a, const pthread_attr_t *b, void *(*c)(void *), void *d),   \
			(a, b, c, d), a, 0, "2.2.5")                                                           \
	X(40, pthread_spin_init, (pthread_spinlock_t * a, int b), (a, b), a, 0, "2.2.5")               \
	X(41, thrd_create, (thrd_t * a, thrd_start_t b, void *c), (a, b, c), a, 0, "2.28")             \
	X(42, thrd_join, (thrd_t a, int *b), (a, b), (void *)a, 0, "2.28")

/* Is one of them, without a result. */
enum { CALL_ONCE = 43 }; /* X(43, call_once, */

/*
 * The real functions are asked for before the program has threads: at the first call of any, or in
 * the constructor. A call within dlvsym itself would come back here; there is none.
 */
#define REAL(number, name, parameters, arguments, lock, mutex, version) \
	static int(*real_##name) parameters;
LOCK_FUNCTIONS(REAL)

#define FIND(number, name, parameters, arguments, lock, mutex, version) \
	real_##name = (int(*) parameters)find(#name, "GLIBC_" version);

static void *find(const char *name, const char *version)
{
	void *found = dlvsym(RTLD_NEXT, name, version);

	/* those that moved into the C library have a newer version there, too */
	return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor)) void find_all(void)
{
	if (real_pthread_mutex_lock == NULL) {
		LOCK_FUNCTIONS(FIND)
	}
}

#define CALL(number, name, parameters, arguments, lock, mutex, version) \
	int name parameters                                                 \
	{                                                                   \
		unsigned long *words;                                           \
		int result;                                                     \
                                                                        \
		find_all();                                                     \
		words = note(number, lock, mutex, __builtin_return_address(0)); \
		result = real_##name arguments;                                 \
		returned(words, result);                                        \
		return result;                                                  \
	}
LOCK_FUNCTIONS(CALL)

void call_once(once_flag *flag, void (*function)(void))
{
	static void (*real)(once_flag *, void (*)(void));
	unsigned long *words;

	find_all();
	if (real == NULL)
		real = (void (*)(once_flag *, void (*)(void)))dlsym(RTLD_NEXT, "call_once");
	words = note(CALL_ONCE, flag, NULL, __builtin_return_address(0));
	real(flag, function);
	returned(words, 0);
}

static int logged_main(int argc, char **argv, char **environment)
{
	note(0, NULL, NULL, NULL);
	return program(argc, argv, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
		void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
			void *) = dlsym(RTLD_NEXT, "__libc_start_main");

	program = main;
	return start(logged_main, argc, argv, init, fini, loader_fini, stack_end);
}
