package dev.madt.view.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.NamePattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineDetailOptionsTest {
    /** The functions are sort and swap, made of templates; some return void, others bool. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sort<…>|_Z4sortIPiEvT_ _Z4sortIPlEbT_",
                "void sort<…>|_Z4sortIPiEvT_",
                "bool sort<…>|_Z4sortIPlEbT_",
                "void sort<int*>(int*)|_Z4sortIPiEvT_",
                "bool sort<…> [clone .isra.0]|_Z4sortIPlEbT_.isra.0",
                "sort<…> [clone .isra.0]|_Z4sortIPlEbT_.isra.0",
                "_Z4sortIPlEbT_|_Z4sortIPlEbT_",
                "*sort*|_Z4sortIPiEvT_ _Z4sortIPlEbT_ _Z4sortIPlEbT_.isra.0",
            })
    void shouldFindWhatIsMeant(String written, String names) {
        assertEquals(names, found(written, name -> name));
    }

    /** Views ask with the names that they print. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sort<…>|_Z4sortIPiEvT_ _Z4sortIPlEbT_",
                "void sort<…>|_Z4sortIPiEvT_",
                "bool sort<…> [clone .isra.0]|_Z4sortIPlEbT_.isra.0",
                "_Z4sortIPlEbT_|_Z4sortIPlEbT_",
            })
    void shouldFindWhatIsPrinted(String written, String names) {
        assertEquals(names, found(written, LineDetailOptions.readable()));
    }

    @ParameterizedTest
    @CsvSource({
        "got._Znwm,got.operator new",
        "got.malloc,got.malloc",
        "DW.ref._ZTISt9exception,DW.ref.typeinfo for std::exception",
        "file.cpp::_ZL4seed,file.cpp::seed",
        "_Z4sortIPiEvT_@plt,void sort<…>@plt",
    })
    void shouldReadWhatIsBehindAPrefix(String name, String expected) {
        assertEquals(expected, LineDetailOptions.readable().demangle(name));
    }

    private static String found(String written, Demangler shown) {
        NamePattern pattern = new NamePattern(written, LineDetailOptions.spellings());
        return Stream.of(
                        "_Z4sortIPiEvT_",
                        "_Z4sortIPlEbT_",
                        "_Z4sortIPlEbT_.isra.0",
                        "_Z4swapIPlEbT_.isra.0")
                .filter(name -> pattern.matches(shown.demangle(name)))
                .collect(Collectors.joining(" "));
    }
}
