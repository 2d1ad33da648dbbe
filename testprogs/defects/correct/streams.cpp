#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::ostringstream out;
    for (int i = 0; i < 30; i++) out << "value " << i << ' ' << i / 3.0 << '\n';
    std::istringstream in(out.str());
    std::string line;
    int count = 0;
    while (std::getline(in, line)) count += line.size() > 5;
    std::cout << count << std::endl;
    return count != 30;
}
