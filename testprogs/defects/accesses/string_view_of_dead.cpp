// defect: after-free
// record: --quarantine 20M
#include <string>
#include <string_view>
static std::string name(char c) { return std::string(40, c); }
int main() {
    std::string_view view = name('a');
    std::string other = name('b');
    const char *text = view.data();
    return text[3] == 'x'; // here
}
