// Two files have functions, variables and types of one name without linkage: with hidden_too.cpp.
namespace
{
struct Entry {
	int key;
	int value;
};
Entry table[5];
int helper(int i)
{
	table[i % 5].value += i;
	return table[i % 5].value;
}
} // namespace

static long cached[3];

static long step(int i)
{
	return cached[i % 3]++;
}

long other_file(int count);

int main()
{
	Entry *made = new Entry[2]();
	long sum = 0;
	for (int i = 0; i < 7; i++)
		sum += helper(i) + step(i) + made[i % 2].key++;
	sum += other_file(4);
	delete[] made;
	return sum == 0;
}
