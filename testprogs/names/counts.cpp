// Static variables of templates and of inline functions, and arrays of several dimensions.
template <typename T> struct Counter {
	static T all;
	T own[3] = {};
	T count(int i)
	{
		static T calls;
		all += 1;
		calls += 1;
		return own[i % 3] += calls;
	}
};
template <typename T> T Counter<T>::all;

template <typename T> T table[2][3];

inline int visits()
{
	static int visited;
	return ++visited;
}

int main()
{
	Counter<int> whole;
	Counter<long> *large = new Counter<long>();
	Counter<double> *real = new Counter<double>[2]();
	double sum = 0;
	for (int i = 0; i < 6; i++) {
		sum += whole.count(i) + static_cast<double>(large->count(i)) + real[i % 2].count(i);
		table<int>[i % 2][i % 3] += visits();
		table<short>[i % 2][i % 3]++;
	}
	delete large;
	delete[] real;
	return sum == 0;
}
