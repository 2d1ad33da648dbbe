#include <cstdlib>
#include <cstring>
int main() {
    char *text = static_cast<char *>(malloc(48));
    memset(text, 'a', 48);
    for (int i = 1; i < 300; i++)
        text = static_cast<char *>(realloc(text, 48 + 48 * i));
    text = static_cast<char *>(realloc(text, 48));
    char *word = text + 8;
    char *other = static_cast<char *>(malloc(48));
    memset(other, 'b', 48);
    char c = *word;
    free(text);
    free(other);
    return c != 'a';
}
