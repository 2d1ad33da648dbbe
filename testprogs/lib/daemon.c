/* Forks twice, as daemons do; the grandchild outlives the program, then writes the file that it was
 * given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *note = malloc(100);
	FILE *file;

	strcpy(note, "begun");
	if (fork() > 0) {
		wait(NULL);
		puts("the program ends");
		return argc - 2;
	}
	setsid();
	if (fork() > 0)
		_exit(0);
	fclose(stdout);
	fclose(stderr);
	usleep(300000);
	strcat(note, " and done");
	file = fopen(argv[1], "w");
	fprintf(file, "%s\n", note);
	fclose(file);
	free(note);
	return 9;
}
