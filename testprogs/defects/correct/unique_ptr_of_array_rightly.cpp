#include <memory>
int main() {
    std::unique_ptr<char[]> text(new char[30]);
    text.get()[0] = 'a';
    return 0;
}
