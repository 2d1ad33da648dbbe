/* Writes the code map of a module: make_map MODULE OUT */
#include <stdio.h>

#include "madtcode.h"

int main(int argc, char **argv)
{
	char error[300];
	if (argc != 3 || madtcode_build(argv[1], argv[2], error, sizeof error) == 0)
		return argc != 3;
	fprintf(stderr, "%s\n", error);
	return 1;
}
