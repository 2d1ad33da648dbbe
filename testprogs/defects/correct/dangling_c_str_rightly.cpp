#include <string>
int main() {
    std::string first(30, 'a'), second(30, 'b');
    std::string both = first + second;
    const char *text = both.c_str();
    std::string other = second + first;
    int sum = 0;
    for (int i = 0; i < 60; i++)
        sum += text[i];
    return sum == 1;
}
