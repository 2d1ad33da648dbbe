#include <string>
#include <string_view>
static std::string name(char c) { return std::string(40, c); }
int main() {
    std::string kept = name('a');
    std::string_view view = kept;
    std::string other = name('b');
    const char *text = view.data();
    return text[3] != 'a';
}
