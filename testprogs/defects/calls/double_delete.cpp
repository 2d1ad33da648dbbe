// defect: double-free
struct Big { char room[2000]; };
int main() {
    Big *big = new Big; // allocated
    delete big; // ended
    delete big; // here
}
