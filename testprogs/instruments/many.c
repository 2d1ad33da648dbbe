/*
 * Ten thousand functions, and THREADS threads that each call their share of them. A number in the
 * input: each function is called so often, and "done" is written when all have been.
 */
#include <pthread.h>
#include <stdio.h>

#define THREADS 8
#define FUNCTIONS 10000

/* f1000 to f10999, and where they are. */
__asm__(".altmacro\n"
		".macro function number\n"
		".type f\\number, @function\n"
		"f\\number: lea \\number(%rdi), %rax\n"
		"ret\n"
		".size f\\number, . - f\\number\n"
		".endm\n"
		".macro place number\n"
		".quad f\\number\n"
		".endm\n"
		".text\n"
		".set number, 1000\n"
		".rept 10000\n"
		"function %number\n"
		".set number, number + 1\n"
		".endr\n"
		".section .data.rel.ro, \"aw\"\n"
		".balign 8\n"
		"all:\n"
		".set number, 1000\n"
		".rept 10000\n"
		"place %number\n"
		".set number, number + 1\n"
		".endr\n"
		".text\n");

extern long (*const all[FUNCTIONS])(long);

static int rounds;
static pthread_barrier_t begin, end;

static void *work(void *first)
{
	for (;;) {
		pthread_barrier_wait(&begin);
		if (!rounds)
			return NULL;
		for (int i = 0; i < rounds; i++)
			for (long k = (long)first; k < FUNCTIONS; k += THREADS)
				all[k](i);
		pthread_barrier_wait(&end);
	}
}

int main(void)
{
	pthread_t thread[THREADS];
	pthread_barrier_init(&begin, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (scanf("%d", &rounds) == 1) {
		pthread_barrier_wait(&begin);
		pthread_barrier_wait(&end);
		puts("done");
		fflush(stdout);
	}
	rounds = 0;
	pthread_barrier_wait(&begin);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
