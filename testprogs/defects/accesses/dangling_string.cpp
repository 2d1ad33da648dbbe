// defect: after-free
#include <string>
static const char *name() {
    std::string text(100, 'n');
    return text.c_str();
}
int main() {
    const char *text = name();
    return text[40] == 'm'; // here
}
