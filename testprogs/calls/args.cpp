// Functions that print what they are given and what they return, as lines of calls have it.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noipa))
#endif
#define MAKES __attribute__((noinline))
#define NO_TAIL_CALL __asm__ volatile("")

enum class Mode : unsigned char { OFF, ON };

static char text[3][24];

static const char *place(int of, const void *p)
{
	snprintf(text[of], sizeof text[of], "%p", p);
	return text[of];
}

struct Shape {
	MAKES explicit Shape(int w) : width(w)
	{
		printf("B Shape::Shape(this=%s, w=%d)\nX Shape::Shape\n", place(0, this), w);
		NO_TAIL_CALL;
	}

	virtual ~Shape() = default;

	virtual long area(int scale) const = 0;

	int width;
};

struct Base {
	int base = 1;
};

static void begins(const void *square, int w, short h)
{
	printf("B Square::Square(this=%s, w=%d, h=%d)\n", place(0, square), w, h);
}

/* As a base, its constructor gets a table of its virtual bases, too. */
struct Square : Shape, virtual Base {
	MAKES Square(int w, short h) : Shape((begins(this, w, h), w)), height(h)
	{
		printf("X Square::Square\n");
		NO_TAIL_CALL;
	}

	ALONE long area(int scale) const override
	{
		long result = long(width) * height * scale;

		printf("B Square::area(this=%s, scale=%d)\n", place(0, this), scale);
		printf("X Square::area=%ld\n", result);
		return result;
	}

	ALONE Square &operator+=(const int &more)
	{
		width += more;
		printf("B Square::operator+=(this=%s, more=%s)\n", place(0, this), place(1, &more));
		printf("X Square::operator+==%s\n", place(0, this));
		return *this;
	}

	int height;
};

struct Cube : Square {
	MAKES explicit Cube(signed char w)
		: Square((printf("B Cube::Cube(this=%s, w=%d)\n", place(0, this), w), w), w)
	{
		printf("X Cube::Cube\n");
		NO_TAIL_CALL;
	}
};

struct Trivial {
	Trivial(const Trivial &) = default;
	int a, b;
};

/* Copies run code: its address is passed. */
struct Copied {
	Copied() = default;
	Copied(const Copied &other) : a(other.a + 1)
	{
	}
	int a = 0;
};

struct Holder {
	Copied inner[2];
};

struct Moved {
	Moved() = default;
	Moved(const Moved &) = delete;
	Moved(Moved &&) = default;
	int a = 0;
};

struct Empty {
};

ALONE std::string joined(std::string s, unsigned long n, std::unique_ptr<int> p, int z)
{
	printf("B joined(s=?, n=%lu, p=?, z=%d)\nX joined=?\n", n, z);
	return s + std::to_string(n + *p + z);
}

ALONE Mode classes(Trivial t, int k, Copied c, int l, Holder h, int m, Moved v, int n)
{
	printf("B classes(t=?, k=%d, c=?, l=%d, h=?, m=%d, v=?, n=%d)\n", k, l, m, n);
	printf("X classes=ON\n");
	return t.a + c.a + h.inner[0].a + v.a ? Mode::ON : Mode::OFF;
}

ALONE int last(Empty, int n, Mode mode, std::vector<int> v, std::nullptr_t q, char16_t c, int &&r)
{
	printf("B last(?, n=%d, mode=%s, v=?, q=?, c=%u, r=%s)\n", n, mode == Mode::ON ? "ON" : "OFF",
			unsigned(c), place(0, &r));
	printf("X last=%d\n", n + int(v.size()));
	return n + int(v.size()) + (q == nullptr ? 0 : 1);
}

ALONE long through(long (Square::*f)(int) const, const Square &s, int n)
{
	printf("B through(f=?, s=%s, n=%d)\n", place(2, &s), n);
	long result = (s.*f)(n);
	printf("X through=%ld\n", result);
	return result;
}

int main()
{
	Square square(3, -4);

	square.area(5);
	square += 6;
	joined("hello", 5, std::make_unique<int>(4), -6);
	classes({ 1, 2 }, -1, {}, -2, {}, -3, {}, -4);
	last({}, -9, Mode::ON, { 1, 2, 3 }, nullptr, u'\u00e4', 8);
	through(&Square::area, square, 2);
	Cube cube(-5);
	return 0;
}
