// Two headers of one name, whose code is inlined at equal lines.
#include "one/part.h"
#include "two/part.h"

Part part;
Piece piece;

int main()
{
	long sum = 0;
	for (int i = 0; i < 9; i++)
		sum += touch_one(&part, i) + touch_two(&piece, i) + touch_two(&piece, i + 1);
	return sum == 0;
}
