/*
 * The test program disparity on images of 352 columns, three shifts. A repetition: one row; 288 of
 * them make the paper's images.
 */
static int image_rows;

#define ROWS image_rows
#define COLS 352
#define WINDOW 2
#define SHIFTS 3
#define main disparity_main
#include "../../testprogs/src/disparity.c"
#undef main
#undef MadT_start
#undef MadT_stop

#include "measured.h"

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	image_rows = (int)repetitions;
	return (uint64_t)disparity_main();
}
