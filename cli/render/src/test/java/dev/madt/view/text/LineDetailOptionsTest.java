package dev.madt.view.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.view.NamePattern;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineDetailOptionsTest {
    private static final List<String> NAMES = List.of(
            "_Z4sortIPiEvT_", "_Z4sortIPlEbT_", "_Z4sortIPlEbT_.isra.0", "_Z4swapIPlEbT_.isra.0");

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
                "sort<int*>|_Z4sortIPiEvT_",
                "…rt<int*>|_Z4sortIPiEvT_",
                "void sort<…>|_Z4sortIPiEvT_",
                "sort<…> [clone .isra.0]|_Z4sortIPlEbT_.isra.0",
                "bool sort<…> [clone .isra.0]|_Z4sortIPlEbT_.isra.0",
                "_Z4sortIPlEbT_|_Z4sortIPlEbT_",
            })
    void shouldFindWhatIsPrinted(String written, String names) {
        NameBook book = LineDetailOptions.book();
        NAMES.forEach(name -> book.symbol(name, "[program]"));
        NamePattern pattern = new NamePattern(written, LineDetailOptions.spellings());
        pattern.know(book);
        assertEquals(names, found(pattern, book));
        assertEquals(names, found(pattern, name -> name));
    }

    @ParameterizedTest
    @CsvSource({
        "got._Znwm,got.operator new",
        "got.malloc,got.malloc",
        "DW.ref._ZTISt9exception,DW.ref.typeinfo for std::exception",
        "file.cpp::_ZL4seed,file.cpp::seed",
        "_Z4sortIPiEvT_@plt,sort<…>@plt",
    })
    void shouldReadWhatIsBehindAPrefix(String name, String expected) {
        assertEquals(expected, LineDetailOptions.readable().demangle(name));
    }

    private static String found(String written, Demangler shown) {
        return found(new NamePattern(written, LineDetailOptions.spellings()), shown);
    }

    private static String found(NamePattern pattern, Demangler shown) {
        return NAMES.stream()
                .filter(name -> pattern.matches(shown.demangle(name)))
                .collect(Collectors.joining(" "));
    }
}
