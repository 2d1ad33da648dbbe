#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
static volatile int seen;
static void handle(int number, siginfo_t *info, void *context) {
    (void)context;
    seen = number == info->si_signo && info->si_code == SI_TKILL;
}
int main(void) {
    stack_t stack = {.ss_size = 65536};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    return !seen;
}
