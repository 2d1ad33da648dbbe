// defect: mismatched
static int *volatile kept;
int main() {
    kept = new int[17]; // allocated
    kept[16] = 3;
    int *numbers = kept;
    delete numbers; // here
    return 0;
}
