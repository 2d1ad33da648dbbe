/* Is this file a splice plan that whoever applies it can rely on? */
#ifndef MADT_PLAN_CHECK_H
#define MADT_PLAN_CHECK_H

#include <stdint.h>

#include "base/failure.h"

/* Result as for madtcode_plan_check; `bytes` are aligned as malloc does. */
int plan_check(const uint8_t *bytes, uint64_t size, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure);

#endif
