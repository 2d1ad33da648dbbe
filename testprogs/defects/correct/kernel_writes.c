#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
    int ends[2];
    struct stat *status = malloc(sizeof *status);
    struct utsname *name = malloc(sizeof *name);
    char *a = malloc(10), *b = malloc(20);
    struct iovec *parts = malloc(2 * sizeof *parts);
    if (pipe(ends) || write(ends[1], "twenty-five characters ..", 25) != 25) return 1;
    parts[0] = (struct iovec){a, 10};
    parts[1] = (struct iovec){b, 15};
    if (readv(ends[0], parts, 2) != 25 || stat("/", status) || uname(name)) return 2;
    int result = a[9] == 0 || b[14] != '.' || !S_ISDIR(status->st_mode) || name->sysname[0] != 'L';
    free(status);
    free(name);
    free(a);
    free(b);
    free(parts);
    return result;
}
