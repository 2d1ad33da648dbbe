package dev.madt.view.defects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FamilyTest {
    @ParameterizedTest
    @CsvSource({
        "_Znwm,NEW",
        "_ZnwmSt11align_val_t,NEW",
        "_ZnwmRKSt9nothrow_t,NEW",
        "_ZdlPv,NEW",
        "_ZdlPvm,NEW",
        "_Znam,NEW_ARRAY",
        "_ZdaPv,NEW_ARRAY",
        "_ZdaPvmSt11align_val_t,NEW_ARRAY",
        "malloc,MALLOC",
        "free,MALLOC",
    })
    void shouldKnowFunctionsByTheirLinkerNames(String function, Family family) {
        assertEquals(family, Family.of(function));
    }

    @Test
    void shouldKnowNoOthers() {
        assertNull(Family.of("main"));
        assertNull(Family.of("operator new"), "as only the source has it");
    }
}
