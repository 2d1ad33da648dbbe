package dev.madt.trace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnSourceTest {
    private static final SourceLevel LIBRARY =
            new SourceLevel("swap", "/usr/include/c++/12/bits/move.h", 204, 11);
    private static final SourceLevel HEADER = new SourceLevel("less", "/home/me/order.h", 7, 3);
    private static final SourceLevel MAIN = new SourceLevel("main", "/home/me/main.cpp", 30, 5);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/usr/include/c++/12/bits/stl_algo.h",
                "/usr/include/x86_64-linux-gnu/bits/string_fortified.h",
                "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
                "/usr/lib/llvm-14/lib/clang/14.0.6/include/emmintrin.h",
                "/opt/gcc-14/include/c++/14.1.0/bits/stl_vector.h",
                "/build/reproducible-path/gcc-12-12.2.0/src/libstdc++-v3/src/c++11/hash.cc",
                "./string/../sysdeps/x86_64/multiarch/memcmp-evex-movbe.S",
                "/build/glibc-2.36/malloc/malloc.c",
                "/rustc/90b35a623/library/core/src/slice/sort.rs",
                "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/alloc/src/vec.rs",
                "/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/rand-0.8.5/src/lib.rs",
                "/usr/local/go/src/runtime/map.go",
                "/usr/lib/go-1.19/src/sort/sort.go",
                "/usr/share/go-1.19/src/sort/sort.go",
                "/root/go/pkg/mod/golang.org/x/text@v0.3.0/language/parse.go",
                "/home/me/project/../../../usr/include/stdio.h",
                ""
            })
    void shouldKnowLibraries(String file) {
        assertFalse(OwnSource.USUAL.isOwn(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/me/main.cpp",
                "/usr/src/project/main.c",
                "src/main.rs",
                "/srv/include/order.h",
                "/home/me/usr/include/own.h",
                "/home/me/glibc.c",
                "/usr/include/../src/project/main.c"
            })
    void shouldKnowTheAuthorsFiles(String file) {
        assertTrue(OwnSource.USUAL.isOwn(file));
    }

    @Test
    void shouldChargeToTheInnermostLineOfTheAuthor() {
        assertEquals(HEADER, OwnSource.USUAL.charged(List.of(LIBRARY, HEADER, MAIN), List.of()));
        assertEquals(MAIN, OwnSource.USUAL.charged(List.of(LIBRARY, MAIN), List.of()));
        assertEquals(HEADER, OwnSource.USUAL.own(List.of(LIBRARY, HEADER, MAIN), List.of()));
        assertNull(OwnSource.USUAL.charged(List.of(), List.of()));
    }

    @Test
    void shouldLeaveLinesWhereNoneIsTheAuthors() {
        SourceLevel sort = new SourceLevel("sort", "/usr/include/c++/12/bits/stl_algo.h", 9, 1);
        assertEquals(LIBRARY, OwnSource.USUAL.charged(List.of(LIBRARY, sort), List.of()));
        assertEquals(sort, OwnSource.USUAL.own(List.of(LIBRARY, sort), List.of()));
        assertFalse(OwnSource.USUAL.isSettled(List.of(LIBRARY, sort), List.of()));
        SourceLevel unknown = new SourceLevel("sort", "/home/me/main.cpp", 0, 0);
        assertEquals(LIBRARY, OwnSource.USUAL.charged(List.of(LIBRARY, unknown), List.of()));
    }

    @Test
    void shouldChargeToACallerThatIsKnown() {
        assertEquals(MAIN, OwnSource.USUAL.charged(List.of(LIBRARY), List.of(LIBRARY, MAIN)));
        assertEquals(MAIN, OwnSource.USUAL.own(List.of(LIBRARY), List.of(MAIN)));
        assertEquals(HEADER, OwnSource.USUAL.charged(List.of(LIBRARY, HEADER), List.of(MAIN)));
        assertEquals(LIBRARY, OwnSource.EXACT.charged(List.of(LIBRARY), List.of(MAIN)));
        assertTrue(OwnSource.USUAL.isSettled(List.of(LIBRARY), List.of(MAIN)));
        assertFalse(OwnSource.USUAL.isSettled(List.of(LIBRARY), List.of(LIBRARY)));
    }

    @Test
    void shouldChargeToTheInnermostLineOfAllWhereThatIsWanted() {
        assertEquals(LIBRARY, OwnSource.EXACT.charged(List.of(LIBRARY, HEADER, MAIN), List.of()));
        assertEquals(HEADER, OwnSource.EXACT.own(List.of(LIBRARY, HEADER, MAIN), List.of()));
        assertTrue(OwnSource.EXACT.isSettled(List.of(LIBRARY), List.of()));
    }

    @Test
    void shouldKnowTheLibrariesOfTheSystem() {
        for (String module : List.of(
                "[libc.so.6]", "[libstdc++.so.6.0.30]", "[ld-linux-x86-64.so.2]", "[libm.so.6]")) {
            assertTrue(OwnSource.USUAL.isSystem(module), module);
            assertFalse(OwnSource.EXACT.isSystem(module), module);
            assertFalse(OwnSource.below(List.of("/")).isSystem(module), module);
        }
        for (String module : List.of("[own]", "[libcurl.so.4]", "[libmine.so]", "[ld]", "")) {
            assertFalse(OwnSource.USUAL.isSystem(module), module);
        }
    }

    @Test
    void shouldTakeTheFoldersThatItIsTold() {
        OwnSource usr = OwnSource.below(List.of("/usr/include/c++", "/srv/x/"));
        assertEquals(LIBRARY, usr.charged(List.of(LIBRARY, HEADER, MAIN), List.of()));
        assertTrue(usr.isOwn("/srv/x/a.c"));
        assertFalse(usr.isOwn("/srv/xy/a.c"));
        assertFalse(usr.isOwn("/home/me/main.cpp"));
        assertEquals(
                HEADER,
                OwnSource.below(List.of()).charged(List.of(LIBRARY, HEADER, MAIN), List.of()));
    }
}
