#include <functional>
#include <string>
#include <vector>
int main() {
    std::vector<std::function<int(int)>> steps;
    std::string text = "a string that is too long for its own room";
    for (int i = 0; i < 5; i++) {
        steps.push_back([](int n) { return n + 1; });
        steps.push_back([i, text](int n) { return n + i + (int)text.size(); });
    }
    int n = 0;
    for (auto step : steps) n = step(n);
    return n != 5 + 10 + 5 * 42;
}
