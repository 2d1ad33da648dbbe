package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of Fortran and D. */
class OtherNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "__grid_mod_MOD_field|grid_mod::field",
                "__a_MOD_b_MOD_c|a::b_MOD_c",
                "__grid_mod_MOD_|__grid_mod_MOD_",
                "__MOD_x|__MOD_x",
                "got.__grid_mod_MOD_field|got.grid_mod::field",
                "__libc_start_main|__libc_start_main",
                "_D3app4Item5priceMFZl|app.Item.price",
                "_D3app__T7largestTiZQkFAiZi|app.largest!(…)",
                "_D3appQeFZv|_D3appQeFZv",
                "_D3app14__T7largestTiZ7largestFAiZi|app.largest!(…).largest",
                "_D9999999x|_D9999999x",
                "_D3ap|_D3ap",
                "_Dmain|_Dmain",
                "_DYNAMIC|_DYNAMIC",
            })
    void shouldReadNames(String name, String expected) {
        assertEquals(expected, Demangler.withOthers(Demangler.NONE).demangle(name));
    }
}
