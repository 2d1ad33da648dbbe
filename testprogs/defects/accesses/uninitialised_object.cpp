// defect: uninitialised
struct Counter { long hits, limit; Counter() : limit(9) {} };
int main() {
    Counter *counter = new Counter; // allocated
    int result = counter->hits > counter->limit; // here
    delete counter;
    return result > 1;
}
