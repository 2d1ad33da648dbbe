package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class InterposedFunctionsTest {
    @Test
    void shouldKnowNamesStubsVersionsAndFortifiedForms() {
        for (String name : List.of(
                "malloc",
                "malloc@plt",
                "malloc@@GLIBC_2.2.5",
                "_Znwm",
                "_ZnamSt11align_val_tRKSt9nothrow_t@plt",
                "_ZdlPvm",
                "_ZdaPvSt11align_val_t",
                "__memcpy_chk@plt",
                "__fread_unlocked_chk",
                "mmap64",
                "stpncpy")) {
            assertEquals(true, InterposedFunctions.contains(name), name);
        }
        for (String name : List.of(
                "",
                "@plt",
                "main",
                "mallocs",
                "my_malloc",
                "_Znw",
                "_chk",
                "___chk",
                "__chk@plt")) {
            assertEquals(false, InterposedFunctions.contains(name), name);
        }
    }
}
