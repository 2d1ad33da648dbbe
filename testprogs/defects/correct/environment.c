#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
    time_t now = 1000000;
    char text[64];
    setlocale(LC_ALL, "");
    setenv("A_NAME", "a value", 1);
    tzset();
    strftime(text, sizeof text, "%A %c", localtime(&now));
    unsetenv("A_NAME");
    return getenv("A_NAME") != NULL || strlen(text) == 0;
}
