#include <stdlib.h>
#include <ucontext.h>
static ucontext_t main_context, other;
static int sum;
static void count(int *values) {
    for (int i = 0; i < 4; i++) sum += values[i];
}
static void work(void) {
    int values[4] = {1, 2, 3, 4};
    for (int i = 0; i < 3; i++) {
        count(values);
        swapcontext(&other, &main_context);
    }
}
int main(void) {
    char *stack = malloc(65536);
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = 65536;
    other.uc_link = &main_context;
    makecontext(&other, work, 0);
    for (int i = 0; i < 3; i++) swapcontext(&main_context, &other);
    free(stack);
    return sum != 30;
}
