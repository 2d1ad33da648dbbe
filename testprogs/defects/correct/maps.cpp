#include <map>
#include <memory>
#include <string>
#include <unordered_map>
int main() {
    std::map<std::string, int> sorted;
    std::unordered_map<int, std::shared_ptr<std::string>> shared;
    for (int i = 0; i < 30; i++) {
        sorted["key number " + std::to_string(i * 37 % 30)] = i;
        shared[i] = std::make_shared<std::string>(std::to_string(i));
    }
    sorted.erase("key number 7");
    shared.erase(7);
    return sorted.size() != shared.size();
}
