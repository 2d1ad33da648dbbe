package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "std::_Function_handler<long (long), steps(std::vector<long, std::allocator<long> >"
                        + "&)::{lambda(long)#2}>::_M_invoke(std::_Any_data const&, long&&)"
                        + "|steps(…)::{lambda#2}",
                "std::_Function_handler<long (long), shop::steps(std::vector<long> &)::$_1>"
                        + "::_M_invoke(std::_Any_data const&, long&&)|shop::steps(…)::$_1",
                "std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#3}, int>"
                        + " > >::_M_run()|main::{lambda#3}",
                "std::_Function_handler<void (), main::{lambda()#1}::operator()() const::"
                        + "{lambda()#2}>::_M_invoke(std::_Any_data const&)"
                        + "|main::{lambda#1}::operator() const::{lambda#2}",
                "std::_Function_handler<int (int), int (*)(int)>::_M_invoke(std::_Any_data const&,"
                        + " int&&)|std::_Function_handler<…>::_M_invoke",
                "std::_Function_handler<int (int), own::Adder>::_M_invoke(std::_Any_data const&,"
                        + " int&&)|std::_Function_handler<…>::_M_invoke",
                "own::Pool<main::{lambda()#3}>::_M_run()|own::Pool<…>::_M_run",
                "void std::sort<int*, main::{lambda(int, int)#1}>(int*, int*, main::{lambda(int,"
                        + " int)#1})|std::sort<…>",
            })
    void shouldCallWhatCallsALambdaAsThat(String name, String expected) {
        assertEquals(expected, ShortNames.brief(name));
    }

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
