// A header that has the name of another one; what it has stands in the same lines.
struct Piece {
	long other[5];
};
static inline __attribute__((always_inline)) long touch_two(Piece *part, int i)
{
	return part->other[i % 5]++;
}
