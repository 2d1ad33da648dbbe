/* Thread-local variables of one module, by the model that it is built for. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

__thread char JOIN(NAME, _a)[64] = { 1 };
static __thread int JOIN(NAME, _s)[16];

/* The addresses of the calling thread's copies. */
volatile char *JOIN(NAME, _at)(int which, int i)
{
	return which ? (volatile char *)&JOIN(NAME, _s)[i % 16] : &JOIN(NAME, _a)[i];
}
