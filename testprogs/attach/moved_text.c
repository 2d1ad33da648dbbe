/* Has moved the text of its functions before anyone looks; runs them, and edits one, as it is told. */
#include "../battery/moved.h"

int main(int count, char **arguments)
{
	const size_t size = page_count() * PAGE;
	int told; /* o: text that the program can write all the time */

	setvbuf(stdout, NULL, _IONBF, 0);
	if (count < 2)
		return 1;
	if (*arguments[1] == 'm' && !move_to(first_page(), size, memcpy))
		return 2;
	if (*arguments[1] == 'p' && !move_to(first_page() + PAGE, PAGE, memcpy))
		return 2;
	if (*arguments[1] == 'o')
		edit(1, RW | PROT_EXEC);
	puts(arguments[1]);
	while ((told = getchar()) != EOF) {
		if (told == 'e' && *arguments[1] == 'o')
			constant_at[-4] = 9;
		else if (told == 'e')
			edit(9, RX);
		work("all");
		printf("constant %ld\n", constant());
	}
	return 0;
}
