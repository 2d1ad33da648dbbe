// defect: after-free
// record: --quarantine 20M
#include <string>
int main() {
    std::string first(30, 'a'), second(30, 'b');
    const char *text = (first + second).c_str();
    std::string other = second + first;
    int sum = 0;
    for (int i = 0; i < 60; i++)
        sum += text[i]; // here
    return sum == 1;
}
