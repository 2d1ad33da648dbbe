/*
 * A program in C that loads libraries in C++: which definition of operator new each of them calls
 * depends on the order and the scopes (RTLD_LOCAL, RTLD_GLOBAL) in which they were loaded.
 * operators FOLDER ORDER. A child of fork does it first.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *folder;

static void *load(const char *name, int mode)
{
	char path[4096];
	void *library;

	snprintf(path, sizeof path, "%s/lib%s.so", folder, name);
	library = dlopen(path, mode);
	if (!library) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return library;
}

static void call(void *library, const char *name, const char *argument)
{
	void (*function)(const char *) = (void (*)(const char *))dlsym(library, name);

	function(argument);
}

/* c and s: loads counting or standard, C and S: for all that is loaded later, D and T: its own
 * definitions first. */
static void order(const char *what)
{
	void *library[16];
	int n = 0;

	for (; what[n] && n < 16; n++) {
		const char *name = what[n] == 'c' || what[n] == 'C' || what[n] == 'D' ? "counting"
																			  : "standard";
		int mode = what[n] == 'C' || what[n] == 'S' ? RTLD_GLOBAL
				: what[n] == 'D' || what[n] == 'T'  ? RTLD_DEEPBIND
													: 0;

		library[n] = load(name, mode | (n % 2 ? RTLD_NOW : RTLD_LAZY));
		for (int i = 0; i <= n; i++)
			call(library[i],
					what[i] == 'c' || what[i] == 'C' || what[i] == 'D' ? "counting" : "standard",
					what);
	}
	while (n > 0)
		dlclose(library[--n]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int status = 0;

	folder = argc > 2 ? argv[1] : ".";
	if (fork() == 0) {
		order(argv[2]);
		_exit(0);
	}
	wait(&status);
	order(argv[2]);
	return status != 0;
}
