// The markers from C++: windows in two functions, the second inside a member function.
#include <madt.h>
#include <cstdio>

volatile int outside;

struct counter {
	volatile long value;
	void add();
};

counter counters[3];

__attribute__((noinline)) static void plain()
{
	MadT_start();
	counters[0].value = 5;
	MadT_stop();
}

__attribute__((noinline)) void counter::add()
{
	MadT__start();
	value = value + 1;
	MadT__stop();
}

int main()
{
	outside = 1;
	plain();
	outside = 2;
	counters[2].add();
	outside = 3;
	std::printf("markers %ld\n", counters[0].value + counters[2].value + outside);
	return 0;
}
