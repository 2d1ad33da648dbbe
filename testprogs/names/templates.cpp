// Instances of one template, of the library and of the program, each with its own rows.
#include <list>
#include <map>
#include <vector>

struct P {
	long price;
	int number;
};

struct Q {
	double mass;
	char name[13];
};

template <typename T, int N> struct Ring {
	T *slots = new T[N]();
	int next = 0;

	~Ring()
	{
		delete[] slots;
	}
	T &take()
	{
		return slots[next++ % N];
	}
};

template <typename T> T largest(const T *of, int count)
{
	T most = of[0];
	for (int i = 1; i < count; i++)
		most = of[i] > most ? of[i] : most;
	return most;
}

template <typename K, typename V> struct Pair {
	K key;
	V value;
};

Pair<int, Q> first;
Pair<int, P> second;
Pair<Pair<int, P>, Pair<int, Q>> both;

int main()
{
	std::vector<Q> masses(7);
	std::vector<P> prices(5);
	std::map<int, P> stock;
	std::map<int, Q> scales;
	std::list<Q> list;
	Ring<P, 3> three;
	Ring<P, 5> five;
	Ring<Q, 3> others;
	for (int i = 0; i < 11; i++) {
		masses.push_back({ i * 0.5, "q" });
		prices.push_back({ i, i });
		stock[i % 6].price += i;
		scales[i % 4].mass += i;
		list.push_back({ i * 2.0, "l" });
		three.take().price++;
		five.take().number++;
		others.take().mass++;
	}
	static int whole[] = { 3, 1, 4, 1, 5 };
	static long large[] = { 2, 7, 1, 8 };
	static double real[] = { 1.5, 0.5, 2.5 };
	first.value.mass = largest(real, 3);
	second.value.price = largest(large, 4);
	both.key.key = largest(whole, 5);
	both.value.value.mass = first.value.mass;
	return 0;
}
