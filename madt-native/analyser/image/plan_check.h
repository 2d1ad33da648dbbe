/* Is this file a splice plan that whoever applies it can rely on? */
#ifndef MADT_PLAN_CHECK_H
#define MADT_PLAN_CHECK_H

#include <stdint.h>

#include "base/failure.h"

/*
 * Result as for madtcode_plan_check; `descriptor` is that of a file open for reading. Its tables
 * are held in memory, its code is not.
 */
int plan_check(int descriptor, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure);

#endif
