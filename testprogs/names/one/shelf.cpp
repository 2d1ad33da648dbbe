// A library that has the name of another one, and functions, variables and types of its names.
#include <cstdlib>

struct Shelf {
	int places[5];
};

Shelf shelf;
static int visits;

static int helper(int i)
{
	return shelf.places[i % 5] += ++visits;
}

extern "C" long run(int count)
{
	Shelf *made = new Shelf();
	long sum = 0;
	for (int i = 0; i < count; i++)
		sum += helper(i) + made->places[i % 5]++;
	delete made;
	return sum;
}
