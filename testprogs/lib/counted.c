/* A library of which multitude.c opens many copies. */
int counter;

int count(void)
{
	for (int i = 0; i < 11; i++)
		((volatile int *)&counter)[0]++;
	return counter;
}
