package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameBookTest {
    private final Map<String, String> sources = new HashMap<>();
    private final NameBook book = new NameBook(name -> sources.getOrDefault(name, name));

    private List<String> shown(String... names) {
        for (int i = 0; i < names.length; i++) {
            sources.put("_Z" + i, names[i]);
            book.symbol("_Z" + i, "[libshop.so]");
        }
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            shown.add(book.demangle("_Z" + i, "[libshop.so]"));
        }
        return shown;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f<int>(int);g(long)|f<…>;g",
                "void f<int>(int);long f<long>(long)|f<int>;f<long>",
                "A<Q>::f();A<std::map<int, P> >::f()|A<Q>::f;A<std::map<…> >::f",
                "A<B<P> >::f();A<B<Q> >::f()|A<B<P> >::f;A<B<Q> >::f",
                "A<int, P, char>::f();A<int, Q, char>::f()|A<…, P, …>::f;A<…, Q, …>::f",
                "f(int);f(long)|f(int);f(long)",
                "A<P>::f(int);A<P>::f(long);A<Q>::f(int)|A<P>::f(int);A<…>::f(long);A<Q>::f",
                "f();f() const|f();f() const",
                "main::{lambda(int)#1}::f() const;main::{lambda(int)#2}::f() const"
                        + "|main::{lambda#1}::f;main::{lambda#2}::f",
                "f<A, B>(int);f<A>(int)|f<A, B>;f<A>",
                "f(int) [clone .isra.0];f(int)|f [clone .isra.0];f",
            })
    void shouldShowWhatTellsNamesApart(String names, String expected) {
        assertEquals(expected, String.join(";", shown(names.split(";"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "main::{lambda(int)#1}::operator()(int) const|main::{lambda at shop.cpp:1}",
                "auto make<long>(long)::{lambda(long)#1}::operator()<int>(long) const"
                        + "|make<…>(…)::{lambda at shop.cpp:1}",
                "main::$_0::operator()(int) const|main::{lambda at shop.cpp:1}",
                "main::{lambda(int)#1}::_FUN(int)|main::{lambda at shop.cpp:1}::_FUN",
                "shop::main::{{closure}}|shop::main::{closure at shop.cpp:1}",
                "shop::sell::{closure#0}::{closure#1}"
                        + "|shop::sell::{closure#0}::{closure at shop.cpp:1}",
                "std::_Function_handler<long (long), work(std::vector<int, std::allocator<int> >"
                        + "&)::{lambda(long)#2}>::_M_invoke(std::_Any_data const&, long&&)"
                        + "|work(…)::{lambda at shop.cpp:1}",
                "std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#3}, int>"
                        + " > >::_M_run()|main::{lambda at shop.cpp:1}",
                "main::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const"
                        + "|main::{lambda#1}::operator() const::{lambda at shop.cpp:1}",
                "std::sort<int*, f()::{lambda(int)#1}>(int*)|std::sort<…>",
            })
    void shouldCallFunctionsWithoutANameByTheirPlace(String whole, String expected) {
        sources.put("_Z0", whole);
        book.symbol("_Z0", "[prog]");
        book.declared("_Z0", "/src/shop.cpp", 1);
        assertEquals(expected, book.demangle("_Z0"));
        assertTrue(book.spellings(expected).contains("_Z0"));
    }

    @Test
    void shouldTellFunctionsWithoutANameApart() {
        String front = "main::{lambda(int)#";
        String behind = "}::operator()(int) const";
        String caller = "std::_Function_handler<int (int), main::{lambda(int)#3}>::_M_manager(int)";
        sources.put("_Z0", front + 1 + behind);
        sources.put("_Z1", front + 2 + behind);
        sources.put("_Z2", front + 3 + behind);
        sources.put("_Z3", caller);
        sources.put("_Z4", caller.replace("#3", "#4"));
        sources.keySet().forEach(name -> book.symbol(name, "[prog]"));
        book.declared("_Z0", "/src/shop.cpp", 7);
        book.declared("_Z1", "/src/shop.cpp", 7);
        book.declared("_Z2", "/src/shop.cpp", 8);
        book.declared("_Z2", "/src/shop.cpp", 8);
        assertEquals(
                List.of(
                        "main::{lambda#1 at shop.cpp:7}",
                        "main::{lambda#2 at shop.cpp:7}",
                        "main::{lambda at shop.cpp:8}",
                        "std::_Function_handler<…, main::{lambda at shop.cpp:8}>::_M_manager",
                        "std::_Function_handler<…, main::{lambda(int)#4}>::_M_manager"),
                sources.keySet().stream().sorted().map(book::demangle).toList());
    }

    /** Names of one source have two for the linker, as constructors do. */
    @Test
    void shouldShowTheLinkersNameWhereNothingElseDiffers() {
        assertEquals(List.of("A::A [Z0]", "A::A [Z1]"), shown("A::A()", "A::A()"));
    }

    @Test
    void shouldLeaveNamesOfC() {
        sources.put("_Z1fi", "f(int)");
        book.symbol("f", "[prog]");
        book.symbol("_Z1fi", "[prog]");
        assertEquals("f", book.demangle("f", "[prog]"));
        assertEquals("f(int)", book.demangle("_Z1fi", "[prog]"));
    }

    /** A static variable of C++ has another name for the linker than one of C. */
    @Test
    void shouldTellNamesOfCFromThoseOfCxxByTheirModules() {
        sources.put("_ZL5cache", "cache");
        sources.put("_Z5cachei", "cache(int)");
        book.program("prog");
        book.symbol("cache", "[libc.so.6:.bss]");
        book.symbol("_ZL5cache", "[.bss]");
        book.symbol("_Z5cachei", "[prog]");
        assertEquals("cache", book.demangle("_ZL5cache", "[.bss]"));
        assertEquals("libc.so.6:cache", book.demangle("cache", "[libc.so.6:.bss]"));
        assertEquals("cache(int)", book.demangle("_Z5cachei", "[prog]"));
        assertTrue(book.spellings("cache").contains("_ZL5cache"));
        assertTrue(book.isShown("cache"));
        assertTrue(book.isShown("libc.so.6:cache"));
        assertFalse(book.isShown("libc.so.6:_ZL5cache"));
    }

    @Test
    void shouldShowTheLinkersNameOfOneThatIsInTheSameModuleAsAnotherOfC() {
        sources.put("_ZL5cache", "cache");
        book.program("prog");
        book.symbol("cache", "[.bss]");
        book.symbol("cache", "[libc.so.6:.bss]");
        book.symbol("_ZL5cache", "[.bss]");
        assertEquals("cache", book.demangle("cache", "[.bss]"));
        assertEquals("libc.so.6:cache", book.demangle("cache", "[libc.so.6:.bss]"));
        assertEquals("cache [_ZL5cache]", book.demangle("_ZL5cache", "[.bss]"));
    }

    @Test
    void shouldTellWholeNamesApartByTheirModules() {
        sources.put("_ZL1fi", "f(int)");
        sources.put("_Z1fi", "f(int)");
        book.program("prog");
        book.symbol("_ZL1fi", "[prog]");
        book.symbol("_Z1fi", "[libshop.so]");
        assertEquals("f", book.demangle("_ZL1fi", "[prog]"));
        assertEquals("libshop.so:f", book.demangle("_Z1fi", "[libshop.so]"));
        sources.put("_Z1fl", "f(long)");
        book.symbol("_Z1fl", "[libshop.so]");
        assertEquals("f(int)", book.demangle("_ZL1fi", "[prog]"));
        assertEquals("libshop.so:f(int)", book.demangle("_Z1fi", "[libshop.so]"));
        assertEquals("f(long)", book.demangle("_Z1fl", "[libshop.so]"));
    }

    @Test
    void shouldShowInTheEndWhatAllNamesAreShownBy() {
        sources.put("_ZL5cache", "cache");
        LateNames late = new LateNames(name -> sources.getOrDefault(name, name));
        late.learn("cache", "[libc.so.6:.bss]");
        late.learn("_ZL5cache", "[.bss]");
        assertEquals(
                "libc.so.6:cache",
                late.book("prog", Set.of("cache")).demangle("cache", "[libc.so.6:.bss]"));
        assertEquals(
                "cache", late.book("prog", Set.of("_ZL5cache")).demangle("_ZL5cache", "[.bss]"));
    }

    @Test
    void shouldPutModulesInFrontOfWhatIsNotTheProgramsOwn() {
        book.program("prog");
        book.symbol("f", "[prog]");
        book.symbol("f", "[libshop.so]");
        book.symbol("table", "[.bss]");
        book.symbol("table", "[libshop.so:.bss]");
        book.symbol("g", "[libshop.so]");
        book.symbol("func@0x1149", "[libshop.so]");
        assertEquals("f", book.demangle("f", "[prog]"));
        assertEquals("libshop.so:f", book.demangle("f", "[libshop.so]"));
        assertEquals("table", book.demangle("table", "[.bss]"));
        assertEquals("libshop.so:table", book.demangle("table", "[libshop.so:.bss]"));
        assertEquals("g", book.demangle("g", "[libshop.so]"));
        assertEquals("libshop.so:func@0x1149", book.demangle("func@0x1149", "[libshop.so]"));
        assertTrue(book.isShown("libshop.so:f"));
        assertFalse(book.isShown("libshop.so:g"));
    }

    @Test
    void shouldShowFoldersOfFilesOfOneName() {
        for (String path : List.of("/src/a/x.h", "/src/b/x.h", "/src/c/b/x.h", "y.h", "/z/y.h")) {
            book.path(path);
        }
        book.path("/src/only.c");
        assertEquals("a/x.h", book.file("/src/a/x.h"));
        assertEquals("src/b/x.h", book.file("/src/b/x.h"));
        assertEquals("c/b/x.h", book.file("/src/c/b/x.h"));
        assertEquals("y.h", book.file("y.h"));
        assertEquals("z/y.h", book.file("/z/y.h"));
        assertEquals("only.c", book.file("/src/only.c"));
    }

    @Test
    void shouldTellAllInstancesApart() {
        String[] types = {"int", "P", "std::vector<P>", "std::vector<std::vector<Q> >", "f(int)"};
        Set<String> names = new HashSet<>();
        for (String one : types) {
            for (String other : types) {
                names.add("std::map<" + one + ", " + other + ">::find(" + one + " const&)");
                names.add("std::map<" + one + ", " + other + ">::find(" + other + "&)");
            }
        }
        List<String> shown = shown(names.toArray(String[]::new));
        assertEquals(names.size(), new HashSet<>(shown).size(), shown.toString());
    }
}
