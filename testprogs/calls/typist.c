/*
 * Runs a command on a terminal of its own and types keys there, one at a time, each when the
 * command has written something since the last one. "typed K TSC" says when, by the time stamp
 * counter; what the command writes goes to standard output.
 *
 *   typist KEYS COMMAND ARGUMENTS…
 */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <x86intrin.h>

#define PAUSE_MS 300

/* Passes on what the command writes until it is silent. False: it has ended. */
static int pass_on(int terminal)
{
	struct pollfd ready = { .fd = terminal, .events = POLLIN };
	char bytes[4096];

	while (poll(&ready, 1, PAUSE_MS) > 0) {
		ssize_t n = read(terminal, bytes, sizeof bytes);

		if (n <= 0)
			return 0;
		fwrite(bytes, 1, (size_t)n, stdout);
	}
	return 1;
}

static void await_output(int terminal)
{
	struct pollfd ready = { .fd = terminal, .events = POLLIN };

	poll(&ready, 1, -1);
}

int main(int argc, char **argv)
{
	struct termios raw = { 0 };
	int terminal, status;

	if (argc < 3)
		return 2;
	cfmakeraw(&raw);
	cfsetspeed(&raw, B38400);
	if (forkpty(&terminal, NULL, &raw, NULL) == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	for (const char *key = argv[1]; *key; key++) {
		unsigned long long time;

		await_output(terminal);
		pass_on(terminal);
		time = __rdtsc();
		if (write(terminal, key, 1) != 1)
			return 1;
		printf("typed %d %llu\n", *key, time);
	}
	while (pass_on(terminal))
		continue;
	wait(&status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
