/*
 * Accesses that a program counts itself. Each is one instruction; the counts are thread-local and
 * what prints them uses the stack, so counting adds none. The program prints, per thread, before
 * the thread ends:
 *
 *   data START END                      every access to these addresses is counted below
 *   count THREAD ADDRESS LOADS STORES   a modification is one of each
 */
#ifndef KNOWN_H
#define KNOWN_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS 128

/* In the midst of a page, so that no vector code of libc reaches it. */
static struct {
	long before[128];
	long word[WORDS];
	long behind[256];
} known __attribute__((aligned(4096)));

static __thread uint32_t loads[WORDS], stores[WORDS];

static inline long known_load(long i)
{
	long value;

	__asm__ volatile("movq %1, %0" : "=r"(value) : "m"(known.word[i]));
	loads[i]++;
	return value;
}

static inline void known_store(long i, long value)
{
	__asm__ volatile("movq %1, %0" : "=m"(known.word[i]) : "r"(value));
	stores[i]++;
}

static inline void known_add(long i, long value)
{
	__asm__ volatile("addq %1, %0" : "+m"(known.word[i]) : "r"(value) : "cc");
	loads[i]++;
	stores[i]++;
}

static inline void known_add_locked(long i, long value)
{
	__asm__ volatile("lock xaddq %1, %0" : "+m"(known.word[i]), "+r"(value) : : "cc");
	loads[i]++;
	stores[i]++;
}

/* Returns whether the word was as expected. */
static inline int known_replace(long i, long expected, long value)
{
	unsigned char same;

	__asm__ volatile("lock cmpxchgq %3, %0; sete %1"
					 : "+m"(known.word[i]), "=q"(same), "+a"(expected)
					 : "r"(value)
					 : "cc");
	loads[i]++;
	stores[i]++;
	return same;
}

static inline void known_fill(long i, long count, long value)
{
	long *to = &known.word[i];

	for (long k = i; k < i + count; k++)
		stores[k]++;
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(value) : "memory");
}

static inline void known_copy(long to, long from, long count)
{
	long *destination = &known.word[to], *source = &known.word[from];

	for (long k = 0; k < count; k++) {
		loads[from + k]++;
		stores[to + k]++;
	}
	__asm__ volatile("rep movsq" : "+D"(destination), "+S"(source), "+c"(count) : : "memory");
}

/* 16 bytes: one access, to the first of two words. */
static inline void known_swap_halves(long i)
{
	__asm__ volatile("movups %0, %%xmm0; shufpd $1, %%xmm0, %%xmm0; movups %%xmm0, %0"
					 : "+m"(*(long(*)[2]) & known.word[i])
					 :
					 : "xmm0");
	loads[i]++;
	stores[i]++;
}

static inline long known_through_stack(long i, long j)
{
	__asm__ volatile("sub $128, %%rsp; pushq %1; popq %0; add $128, %%rsp"
					 : "=m"(known.word[i])
					 : "m"(known.word[j])
					 : "cc");
	loads[j]++;
	stores[i]++;
	return i;
}

static inline long own_thread(void)
{
	return syscall(SYS_gettid);
}

/* Appends a number and the character behind it. */
static char *number_put(char *at, unsigned long number, char behind)
{
	char digits[24];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		*at++ = digits[--count];
	*at++ = behind;
	return at;
}

static char *word_put(char *at, const char *word)
{
	while (*word)
		*at++ = *word++;
	return at;
}

static void text_write(const char *text, const char *end)
{
	if (write(1, text, (size_t)(end - text)) != end - text)
		abort();
}

/* Once a process. */
static inline void known_begin(void)
{
	char text[80], *at = word_put(text, "data ");

	at = number_put(at, (uintptr_t)&known.word[0], ' ');
	text_write(text, number_put(at, (uintptr_t)&known.word[WORDS], '\n'));
}

/* Tells the counts of this thread, and forgets them. */
static inline void known_end(void)
{
	char text[WORDS * 64], *at = text;

	for (long i = 0; i < WORDS; i++) {
		if (!loads[i] && !stores[i])
			continue;
		at = number_put(word_put(at, "count "), (unsigned long)own_thread(), ' ');
		at = number_put(at, (uintptr_t)&known.word[i], ' ');
		at = number_put(at, loads[i], ' ');
		at = number_put(at, stores[i], '\n');
		loads[i] = stores[i] = 0;
	}
	text_write(text, at);
}

/* A random number below `limit`; the state is the caller's own. */
static inline unsigned long random_below(uint64_t *state, unsigned long limit)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned long)(*state >> 11) % limit;
}

/* Runs that many threads at once; each gets its number. */
static inline void threads_run(long count, void *(*work)(void *))
{
	pthread_t thread[64];

	for (long i = 0; i < count; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			abort();
	for (long i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

#endif
