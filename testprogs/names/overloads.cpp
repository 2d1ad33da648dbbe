// Overloads, operators, const and other methods of one name, and constructors of a virtual base.
struct Money {
	long cents;

	Money operator+(const Money &other) const
	{
		return { cents + other.cents };
	}
	bool operator<(const Money &other) const
	{
		return cents < other.cents;
	}
	Money &operator+=(const Money &other)
	{
		cents += other.cents;
		return *this;
	}
	long &value()
	{
		return cents;
	}
	const long &value() const
	{
		return cents;
	}
};

static long kept[4];

static long add(int x)
{
	return kept[0] += x;
}
static long add(long x)
{
	return kept[1] += x;
}
static long add(const Money &x)
{
	return kept[2] += x.value();
}
static long add(int x, int y)
{
	return kept[3] += x * y;
}

struct Base {
	int tag = 1;
	virtual ~Base() = default;
	virtual int area() const
	{
		return tag;
	}
};

struct Left : virtual Base {
	int side = 2;
	int area() const override
	{
		return side * tag;
	}
};

struct Right : virtual Base {
	int edge = 3;
	int area() const override
	{
		return edge + tag;
	}
};

struct Whole : Left, Right {
	int area() const override
	{
		return side + edge + tag;
	}
};

int main()
{
	Money sum{ 5 };
	for (int i = 0; i < 4; i++) {
		sum += Money{ i } + Money{ 1 };
		sum.value() += add(i) + add(static_cast<long>(i)) + add(sum) + add(i, 2);
	}
	Base *shapes[] = { new Left, new Right, new Whole, new Base };
	for (Base *shape : shapes)
		sum.value() += shape->area();
	for (Base *shape : shapes)
		delete shape;
	return sum < Money{ 0 };
}
