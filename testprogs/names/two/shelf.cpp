// A library that has the name of another one, and functions, variables and types of its names.
#include <cstdlib>
#include <cstring>

struct Shelf {
	double weights[7];
	char label[3];
};

Shelf shelf;
static int visits;

static double helper(int i)
{
	return shelf.weights[i % 7] += ++visits;
}

extern "C" long run(int count)
{
	double sum = 0;
	Shelf *made = new Shelf();
	for (int i = 0; i < 2 * count; i++)
		sum += helper(i) + (made->weights[i % 7] += 2);
	delete made;
	return static_cast<long>(sum);
}
