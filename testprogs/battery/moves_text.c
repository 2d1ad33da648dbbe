/* Text that the program moves to anonymous memory, page by page and as a whole, and changes. */
/* flags: -O1 -no-pie -falign-functions=1 -fno-toplevel-reorder -fcf-protection=none */
#include "moved.h"

#include <sys/wait.h>
#include <unistd.h>

static void moved(const char *what, void *to)
{
	printf("%s, %s; ", what, to && to != MAP_FAILED ? "moved" : "failed");
	work("all");
}

/* Every other page, so that each has edges of both kinds. */
static void by_page(void)
{
	copier *const copies[] = { memcpy, copy_at_once };
	size_t pages = page_count();

	for (size_t i = 0; i < pages; i += 2) {
		char *text = first_page() + i * PAGE;

		moved("a page",
				i & 2 ? move_to(text, PAGE, copies[i / 4 % 2])
					  : move_over(text, PAGE, copies[i / 4 % 2]));
	}
}

static void in_child(const char *what, void (*change)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		change();
		fflush(stdout);
		_exit(3);
	}
	waitpid(child, &status, 0);
	printf("%s ends with %x\n", what, status);
}

static void whole(void)
{
	moved("all of it", move_to(first_page(), page_count() * PAGE, memcpy));
}

static void whole_by_loads(void)
{
	moved("by loads", move_over(first_page(), page_count() * PAGE, copy_at_once));
}

static void changed(void)
{
	for (int number = 5; number < 8; number++) {
		edit(number, RX);
		printf("constant %ld\n", constant());
	}
	work("changed");
}

int main(void)
{
	work("first");
	printf("constant %ld\n", constant());
	in_child("pages", by_page);
	in_child("whole", whole);
	in_child("by loads", whole_by_loads);
	in_child("changed", changed);
	whole();
	changed();
	return 0;
}
