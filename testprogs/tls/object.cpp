/* A thread-local object with constructor and destructor, and one in a function. */
struct Object {
	int first = 7, second;
	Object() : second(first + 1)
	{
	}
	~Object()
	{
		first = 0;
	}
};

thread_local Object object;

extern "C" volatile char *object_at(int which, int)
{
	return reinterpret_cast<volatile char *>(which ? &object.second : &object.first);
}
