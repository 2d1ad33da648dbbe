// A header that has the name of another one; what it has stands in the same lines.
struct Part {
	int first[3];
};
static inline __attribute__((always_inline)) int touch_one(Part *part, int i)
{
	return part->first[i % 3]++;
}
