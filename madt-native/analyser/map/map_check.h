/* Is a file a code map that the shim can use without looking twice? */
#ifndef MADT_MAP_CHECK_H
#define MADT_MAP_CHECK_H

#include <stdbool.h>

#include "base/failure.h"
#include "madt_layout.h"

/* An operand that the rules of madt_layout.h allow. */
bool map_operand_is_known(const struct madt_code_operand *operand);

/* `bytes` hold `size` bytes. 0, or an errno value with the text in `failure`. */
int map_check(const uint8_t *bytes, uint64_t size, const uint8_t *build_id,
		uint32_t build_id_length, struct failure *failure);

#endif
