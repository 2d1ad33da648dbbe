// defect: never-freed
struct Node { Node *next; };
int main() {
    Node *first = new Node{nullptr};
    first->next = new Node{nullptr}; // allocated
    delete first;
}
