// defect: after-realloc
// record: --quarantine 20M
#include <cstdlib>
#include <cstring>
int main() {
    char *text = static_cast<char *>(malloc(48)); // allocated
    char *word = text + 8;
    memset(text, 'a', 48);
    char *longer = static_cast<char *>(realloc(text, 4800)); // ended
    char *other = static_cast<char *>(malloc(48));
    memset(other, 'b', 48);
    char c = *word; // here
    free(longer);
    free(other);
    return c == 'x';
}
