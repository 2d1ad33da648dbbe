// Classes and static variables that are local to functions, and enumerations and unions.
static int first(int x)
{
	struct Local {
		int a[3];
		int sum() const
		{
			return a[0] + a[1] + a[2];
		}
	};
	static int calls;
	Local *made = new Local{ { x, calls++, 1 } };
	int sum = made->sum();
	delete made;
	return sum;
}

static int second(int x)
{
	struct Local {
		short b;
		int sum() const
		{
			return b;
		}
	};
	static int calls;
	Local *made = new Local{ static_cast<short>(x + calls++) };
	int sum = made->sum();
	delete made;
	return sum;
}

template <typename T> T third(T x)
{
	struct Local {
		T c;
	};
	static T calls;
	Local *made = new Local{ static_cast<T>(x + calls++) };
	T sum = made->c;
	delete made;
	return sum;
}

enum class Colour { RED, GREEN };

union Value {
	int i;
	float f;
};

Colour colours[2];
Value values[3];

int main()
{
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += first(i) + second(i) + third(i) + static_cast<int>(third(static_cast<long>(i)));
	colours[1] = Colour::GREEN;
	values[2].i = sum;
	return sum == 0;
}
