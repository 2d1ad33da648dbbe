/* Globals of every kind of type, whose layouts are compared with the debugger's. */
#include <stddef.h>
#include <stdint.h>

enum colour { RED = 1, GREEN = 5, BLUE = -3 };
typedef enum colour colour_t;
typedef const volatile uint16_t port_t;

struct limit {
	int32_t hard;
	int16_t soft;
	char mark;
};
struct node {
	long value;
	struct node *next;
	struct node **back;
};

typedef struct {
	char name[13];
	struct limit limits[3];
	union {
		double real;
		uint64_t bits;
		unsigned char raw[11];
	} u;
	union {
		int left;
		struct {
			short low, high;
		};
	};
	struct {
		struct node first;
		port_t ports[2][3];
	} inner;
	colour_t colour;
	int (*hook)(const char *, struct node *);
} config_t;

struct flags {
	unsigned a : 3;
	unsigned b : 7;
	unsigned : 4;
	int c : 11;
	unsigned char d : 5;
	uint64_t e : 37;
	char f;
	_Bool g : 1;
};
struct __attribute__((packed)) packed {
	char tag;
	long value;
	short pair[2];
	uint32_t x : 9, y : 14;
};
struct aligned {
	char a;
	int wide __attribute__((aligned(32)));
	char z;
};
struct open {
	int count;
	short sizes[];
};
struct old_open {
	long count;
	char text[0];
};
union pun {
	float f;
	uint32_t u;
	struct flags bits;
	unsigned char bytes[7];
};

struct mix {
	short tag;
	union {
		struct {
			uint16_t a : 3, b : 5, c : 8;
		};
		uint16_t raw;
	};
	union {
		struct {
			union {
				int deep;
				unsigned other;
			};
			int w;
		};
		long l;
	} v[2];
};

struct mix mixed[2];
int table[5][3];
long cube[2][3][4];
struct node head = { 7, &head, NULL };
config_t config;
const config_t *configs[4];
struct flags flags;
struct packed packs[3];
struct aligned lined[2];
struct open open = { 2, { 4, 5, 6 } };
struct old_open old_open;
union pun pun;
colour_t colours[3];
static struct {
	char c;
	struct {
		short s;
		struct limit deep[2][2];
	} in;
} hidden[4];
double scalar;
const char *const words[] = { "one", "two" };
_Complex double wave[2];
__int128 huge;
long double extended;
typedef int row_t[6];
row_t rows[2];
volatile struct limit *volatile watched;
float vector __attribute__((vector_size(16)));

int main(int argc, char **argv)
{
	static struct limit counted[2];
	hidden[argc & 3].c = argv[0][0];
	counted[argc & 1].soft += hidden[1].in.s;
	table[argc & 3][1] = counted[0].soft;
	return 0;
}
