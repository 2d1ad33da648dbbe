// defect: after-free
// record: --quarantine 20M
#include <cstring>
static inline __attribute__((always_inline)) char first_letter(const char *word) {
    return word[0]; // here
}
int main() {
    char *word = new char[20]; // allocated
    strcpy(word, "word");
    delete[] word; // ended
    char *other = new char[20];
    strcpy(other, "other");
    char c = first_letter(word);
    delete[] other;
    return c == 'x';
}
