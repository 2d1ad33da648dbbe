#include <utility>
#include <vector>
int main() {
    std::vector<char> from(100, 'a');
    char *raw = from.data();
    std::vector<char> to = std::move(from);
    to[1] = 'b';
    std::vector<char> other(100, 'c');
    return raw[1] != 'b';
}
