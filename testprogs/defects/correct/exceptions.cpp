#include <memory>
#include <stdexcept>
#include <string>
static int parse(const std::string &text) {
    auto copy = std::make_unique<std::string>(text + text);
    if (copy->size() > 20) throw std::runtime_error(*copy);
    return (int)copy->size();
}
int main() {
    int caught = 0;
    for (int i = 0; i < 6; i++)
        try {
            parse(std::string(6 + 2 * i, 'x'));
        } catch (const std::runtime_error &e) {
            caught += std::string(e.what()).size() > 20;
        }
    return caught != 3;
}
