#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
enum { HELD = 64, ROUNDS = 3000, MEGA = 1 << 20, MOST = 300 };
struct held { unsigned char *p; size_t size; unsigned char fill; };
static void check(const struct held *h) {
    for (size_t i = 0; i < h->size; i += 1 + h->size / 7)
        if (h->p[i] != h->fill) abort();
}
static void *work(void *seed) {
    unsigned r = (unsigned)(uintptr_t)seed;
    struct held held[HELD];
    memset(held, 0, sizeof held);
    for (int i = 0; i < ROUNDS; i++) {
        struct held *h = &held[(r = r * 1103515245 + 12345) >> 8 & HELD - 1];
        size_t size = 1 + (r >> 12) % (r >> 20 & 15 ? 200 : 9000);
        if (h->p) check(h);
        if (h->p && i % 3) {
            size_t kept = h->size < size ? h->size : size;
            if (!(h->p = realloc(h->p, size))) abort();
            h->size = kept;
            check(h);
        } else {
            free(h->p);
            h->p = i % 5 == 0 ? aligned_alloc(64, (size + 63) & ~63ul) : i % 5 == 1 ? calloc(1, size)
                    : i % 5 == 2 ? memalign(32, size) : malloc(size);
            if (!h->p) abort();
        }
        if (malloc_usable_size(h->p) < size) abort();
        memset(h->p, h->fill = (unsigned char)i, h->size = size);
    }
    for (int i = 0; i < HELD; i++) free(held[i].p);
    return NULL;
}
static int fill(char **blocks) {
    int n = 0;
    while (n < MOST && (blocks[n] = malloc(MEGA))) n++;
    return n;
}
static rlim_t pages(void) {
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY);
    if (read(fd, text, sizeof text - 1) < 1) abort();
    close(fd);
    return strtoul(text, NULL, 10);
}
static void exhaust(void) {
    static char *blocks[MOST];
    struct rlimit before, limit;
    getrlimit(RLIMIT_AS, &before);
    limit = before;
    limit.rlim_cur = pages() * 4096 + 100 * MEGA;
    if (setrlimit(RLIMIT_AS, &limit)) abort();
    for (int round = 0, most = 0; round < 3; round++) {
        int n = fill(blocks);
        if (n < most || n == MOST) abort();
        most = n;
        while (n > 0) free(blocks[--n]);
    }
    setrlimit(RLIMIT_AS, &before);
}
int main(void) {
    pthread_t threads[4];
    int failed = 0, status;
    exhaust();
    for (uintptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int k = 1; k < 300; k++) free(malloc((size_t)k));
            _exit(0);
        }
        waitpid(child, &status, 0);
        failed |= status;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return failed != 0;
}
