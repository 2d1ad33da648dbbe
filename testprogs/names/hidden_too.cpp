// The other file of hidden.cpp.
namespace
{
struct Entry {
	double weight;
};
Entry table[11];
double helper(int i)
{
	table[i % 11].weight += i;
	return table[i % 11].weight;
}
} // namespace

static long cached[7];

static long step(int i)
{
	return cached[i % 7]++;
}

long other_file(int count)
{
	Entry *made = new Entry[3]();
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += helper(i) + static_cast<double>(step(i)) + (made[i % 3].weight += 1);
	delete[] made;
	return static_cast<long>(sum);
}
