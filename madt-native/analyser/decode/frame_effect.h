#ifndef MADT_FRAME_EFFECT_H
#define MADT_FRAME_EFFECT_H

#include "decode/site.h"

/* What an instruction does with rbp, as far as frame pointers go. */
enum frame_effect {
	FRAME_NONE,
	FRAME_PUSHES,   /* push rbp */
	FRAME_COPIES,   /* mov rbp, rsp */
	FRAME_RESTORES, /* pop rbp, leave */
	FRAME_LOSES     /* rbp gets another value */
};

enum frame_effect frame_effect_of(const struct decoded *decoded);

#endif
