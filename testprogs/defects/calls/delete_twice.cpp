// defect: double-free
// record: --quarantine 20M
// also: never-freed
struct item { int n[6]; };
int main() {
    item *a = new item{{1}}; // allocated
    delete a;
    item *b = new item{{2}};
    delete a; // here
    int n = b->n[0];
    return n != 2;
}
