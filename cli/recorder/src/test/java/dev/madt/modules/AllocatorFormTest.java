package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Failure;
import dev.madt.resolver.local.Signature;
import dev.madt.trace.event.Argument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorFormTest {
    private static final int STATUS = 125;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f(1)=ret                   | f               | 800fff11",
                "f ( 0 * 1 ) = ret          | f               | 800ff101",
                "f(0)                       | f               | 800f0ff2",
                "f(0,2)=ret                 | f               | 800f0f23",
                "f(1, 2*3) = ret            | f               | 800f1323",
                "f(1)=ret in 0              | f               | 8000ff11",
                "f(=56)=ret                 | f               | 838ff0e1",
                "f( = 32767 )=ret in 0      | f               | fff0ffe1",
                "f(11) ends                 | f               | 800fbff4",
                "f(0*1+2)=ret               | f               | 803ff101",
                "f( 1 + 11 ) = ret in 0     | f               | 80c0ff11",
                "f(0,1*2+3)=ret             | f               | 804f0213",
                "f(0 up 8)=ret              | f               | 830fff01",
                "f(0, 1+2 up 16)=ret        | f               | 843f0f13",
                "f(1 next 2)                | f               | 800f1f22",
                "a::b<int, c>::f(1)=ret     | a::b<int, c>::f | 800fff11",
                "operator new(0)=ret        | operator new    | 800fff01",
                "Py_Main starts CPython     | Py_Main         | 800ffff5"
            })
    void shouldReadWhatAFunctionDoes(String text, String name, String code) throws Exception {
        AllocatorForm form = AllocatorForm.of("--alloc", text, STATUS);
        assertEquals(name, form.function().text());
        assertEquals(code, Integer.toHexString(form.code()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f",
                "f()",
                "f(x)=ret",
                "f(0,1)",
                "f(0*1)",
                "f(0) in 1",
                "f(0)=ret ends",
                "f(0*1,2)=ret",
                "f(12)=ret",
                "f(=0)=ret",
                "f(=32768)=ret",
                "f(=8)",
                "f(=8*1)=ret",
                "f(=8,1)=ret",
                "f(=8+1)=ret",
                "f(0+1)",
                "f(0+1) ends",
                "f(0+12)=ret",
                "f(0 up 8)",
                "f(0 up 12)=ret",
                "f(0 up 256)=ret",
                "f(0 next 1)=ret",
                "f(0 next 1) ends",
                "f(0)=re",
                "(0)=ret"
            })
    void shouldRefuseWhatSaysNothing(String text) {
        Failure failure =
                assertThrows(Failure.class, () -> AllocatorForm.of("--alloc", text, STATUS));
        assertEquals(STATUS, failure.status());
        assertTrue(failure.getMessage().contains("'" + text + "'"), failure.getMessage());
    }

    @Test
    void shouldReadAllPresets() throws Exception {
        AllocatorPresets presets = AllocatorPresets.read(STATUS);
        assertTrue(presets.names()
                .containsAll(List.of("python", "glib", "apr", "talloc", "sqlite3", "lua", "rust")));
        for (String name : presets.names()) {
            assertFalse(NamedAllocators.of(new String[] {name}, false, STATUS).areNone(), name);
        }
    }

    @Test
    void shouldTakeSeveralFormsAndFiles() throws Exception {
        Path file = Files.writeString(
                directory.resolve("forms"), "# of the server\nmy_alloc(1)=ret # size\n\nlua\n");
        NamedAllocators allocators = NamedAllocators.of(
                new String[] {"f(0,1)=ret, g(0),python", "@" + file}, false, STATUS);
        assertEquals("f, g, python, my_alloc, lua: 0 functions", allocators.text());
        assertTrue(NamedAllocators.of(null, false, STATUS).areNone());
        Failure failure = assertThrows(
                Failure.class, () -> NamedAllocators.of(new String[] {"pyton"}, false, STATUS));
        assertTrue(failure.getMessage().contains("Did you mean 'python'?"), failure.getMessage());
    }

    private static Argument argument(int place) {
        return new Argument("a", Argument.Form.SIGNED, 8, place, Map.of());
    }

    private static Signature signature(boolean more, Argument result, int... places) {
        return new Signature(
                IntStream.of(places).mapToObj(AllocatorFormTest::argument).toList(),
                more,
                result,
                IntStream.of(places).mapToObj(List::of).toList());
    }

    /** Places: 7 and 6 are rdi and rsi. */
    @Test
    void shouldMissArgumentsThatAFunctionHasNot() throws Exception {
        AllocatorForm form = AllocatorForm.of("--alloc", "f(1)=ret in 0", STATUS);
        Argument result = argument(0);
        assertEquals(-1, form.missing(signature(false, result, 7, 6)));
        assertEquals(1, form.missing(signature(false, result, 7)));
        assertEquals(0, form.missing(signature(false, result)));
        assertEquals(1, form.missing(signature(false, result, 7, Argument.VECTOR)));
        AllocatorForm sum = AllocatorForm.of("--alloc", "f(0*1+2)=ret", STATUS);
        assertEquals(2, sum.missing(signature(false, result, 7, 6)));
        AllocatorForm list = AllocatorForm.of("--alloc", "f(0 next 1)", STATUS);
        assertEquals(1, list.missing(signature(false, result, 7)));
        AllocatorForm constant = AllocatorForm.of("--alloc", "f(=2072)=ret in 0", STATUS);
        assertEquals(-1, constant.missing(signature(false, result, 7)));
        assertEquals(0, constant.missing(signature(false, result)));
        assertEquals(-1, form.missing(null));
        assertEquals(-1, form.missing(signature(true, result, 7)), "further ones have no names");
        assertEquals(-1, form.missing(signature(false, result, Argument.NOWHERE)), "a structure");
        assertEquals(-1, form.missing(signature(false, Argument.nowhere(""), 7)), "in memory");
    }
}
