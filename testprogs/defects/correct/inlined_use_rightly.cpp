#include <cstring>
static inline __attribute__((always_inline)) char first_letter(const char *word) {
    return word[0];
}
int main() {
    char *word = new char[20];
    strcpy(word, "word");
    char *other = new char[20];
    strcpy(other, "other");
    char c = first_letter(word);
    delete[] word;
    delete[] other;
    return c != 'w';
}
