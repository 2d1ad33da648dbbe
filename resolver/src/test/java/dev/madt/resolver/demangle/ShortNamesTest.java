package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "main|main",
                "std::vector<int, std::allocator<int> >::push_back(int"
                        + " const&)|std::vector<…>::push_back",
                "shop::(anonymous namespace)::hidden|shop::(anonymous namespace)::hidden",
                "operator<(Item const&, Item const&)|operator<",
                "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char"
                        + " const*)|std::ostream& std::operator<< <…>",
                "main::{lambda(int)#1}::operator()(int) const|main::{lambda#1}::operator() const",
                "f(int)::counter|f(…)::counter",
                "f()::counter|f()::counter",
                "<alloc::vec::Vec<T> as core::ops::Drop>::drop|<alloc::vec::Vec<…> as"
                        + " core::ops::Drop>::drop",
                "words::fill::<u8, words::main::{closure#0}>|words::fill::<…>",
                "alloc::string::<impl core::fmt::Display for"
                        + " alloc::string::String>::fmt|alloc::string::<impl core::fmt::Display for"
                        + " alloc::string::String>::fmt",
                "main::<lambda(int)>::operator()|main::<lambda>::operator()",
            })
    void shouldShortenTemplatesAndParameters(String name, String expected) {
        assertEquals(expected, ShortNames.of(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "main|main",
                "void std::sort<…>|std::sort<…>",
                "std::enable_if<…>::type std::swap<…>|std::swap<…>",
                "std::ostream& std::operator<< <…>|std::operator<< <…>",
                "operator new|operator new",
                "shapes [clone .constprop.0]|shapes [clone .constprop.0]",
                "void std::sort<…> [clone .isra.0] [clone .cold]"
                        + "|std::sort<…> [clone .isra.0] [clone .cold]",
                "typeinfo for std::exception|typeinfo for std::exception",
                "typeinfo name for std::exception|typeinfo name for std::exception",
                "non-virtual thunk to Shape::area|non-virtual thunk to Shape::area",
                "shop::(anonymous namespace)::hidden|shop::(anonymous namespace)::hidden",
                "shop::item::price const|shop::item::price",
                "<alloc::vec::Vec<…> as core::ops::Drop>::drop"
                        + "|<alloc::vec::Vec<…> as core::ops::Drop>::drop",
            })
    void shouldLeaveOutWhatFunctionsReturn(String name, String expected) {
        assertEquals(expected, ShortNames.withoutType(name));
    }
}
