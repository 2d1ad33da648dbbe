/* Two functions that are copied together, and how. */
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096
#define RW (PROT_READ | PROT_WRITE)

struct item {
	long number, twice;
	struct item *next;
};
typedef long function(struct item *item, long count);

static struct item items[8];

long visit(struct item *item, long count)
{
	long sum = 0;

	for (; item && count > 0; item = item->next, count--) {
		item->twice = item->number * 2;
		if (item->number & 1)
			sum += item->twice;
		else
			sum -= item->next ? item->next->number : count;
	}
	return sum;
}

long first(struct item *item, long count)
{
	item[count].number++;
	return item->number;
}

long end_of_all(void)
{
	return items[0].number;
}

static void copy(char *to, const char *from, const char *end)
{
	for (volatile char *at = to; from < end; from++)
		*at++ = *from;
}

static void copy_at_once(char *to, const char *from, const char *end)
{
	size_t size = (size_t)(end - from);

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

static void call(const char *what, const char *at)
{
	function *volatile all = (function *)at;
	function *volatile one = (function *)(at + ((char *)first - (char *)visit));

	for (long i = 0; i < 8; i++)
		items[i] = (struct item){ i * 3, 0, i < 7 ? &items[i + 1] : NULL };
	printf("%s: %ld", what, all(items, 7));
	printf(" %ld %ld\n", one(items, 2), items[2].number + items[6].twice);
}

static char *room_of(int protection)
{
	return mmap(NULL, 8 * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
