package dev.madt.view.toolkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "main|4|main",
                "map<int, vector<list<Q> > >::find|33|map<int, vector<list<Q> > >::find",
                "map<int, vector<list<Q> > >::find|32|map<int, vector<list<…> > >::find",
                "map<int, vector<list<Q> > >::find|30|map<int, vector<…> >::find",
                "map<int, vector<list<Q> > >::find|15|map<…>::find",
                "std::a::vector<int>::push_back|25|std::a::vector<…>::push_back",
                "std::a::vector<int>::push_back|22|…::vector<…>::push_back",
                "std::a::vector<int>::push_back|15|…::push_back",
                "<malloc@std::__new_allocator<Q>::allocate+89>|24|<malloc@…::allocate+89>",
                "basic_string_of_letters.tcc:225|16|basic_st…tcc:225",
                "operator< <int>|12|operator< …",
                "<malloc@libsqlite3.so.0:func@0x14f60+15>|30|<malloc@…func@0x14f60+15>",
                "libsqlite3.so.0:func@0x37300|20|…func@0x37300",
                "shop.cpp:1234|12|shop.c…:1234",
                "<malloc@Q::S::S(int, Q::Initial)+30>|24|<malloc@Q::S::S(…)+30>",
                "Q::Image::create(Q::Size const&, int) const|25|Q::Image::create(…) const",
                "f::operator()(long, (anonymous namespace)::T)+3|20|f::operator()(…)+3",
                "(anonymous namespace)::table|20|…::table",
                "[libfontconfig.so.1:.rodata]|18|[libfont…:.rodata]",
            })
    void shouldKeepWhatTellsMost(String name, int width, String expected) {
        String cut = new CutNames(List.of(name), width).of(name);
        assertTrue(cut.length() <= width, cut);
        assertEquals(expected.length() <= width ? expected : cut, cut);
    }

    @Test
    void shouldNotMeanAnotherName() {
        List<String> names = List.of("first::inner::work", "second::inner::work", "other::work");
        CutNames cut = new CutNames(names, 13);
        for (String name : names) {
            assertEquals(List.of(name), meant(cut.of(name), names));
        }
    }

    @Test
    void shouldKeepWhatTellsOverloadsAndModulesApart() {
        for (List<String> names : List.of(
                List.of("Q::String::String(int, Q::Init)", "Q::String::String(Q::Char)"),
                List.of("[libexpat.so.1:.rodata]", "[libfontconfig.so.1:.rodata]", "[.rodata]"))) {
            CutNames cut = new CutNames(names, 20);
            for (String name : names) {
                assertEquals(List.of(name), meant(cut.of(name), names), cut.of(name));
            }
        }
    }

    @Test
    void shouldMeanOneNameOfMany() {
        Random random = new Random(4711);
        List<String> names = new ArrayList<>();
        String[] parts = {"std", "shop", "vector<int>", "map<int, P>", "item", "f", "gg"};
        for (int i = 0; i < 200; i++) {
            List<String> name = new ArrayList<>();
            for (int part = random.nextInt(3); part >= 0; part--) {
                name.add(parts[random.nextInt(parts.length)] + random.nextInt(30));
            }
            names.add(String.join("::", name) + "+" + random.nextInt(1000));
        }
        List<String> different = names.stream().distinct().toList();
        CutNames cut = new CutNames(different, 20);
        for (String name : different) {
            assertTrue(cut.of(name).length() <= 20, cut.of(name));
            assertEquals(List.of(name), meant(cut.of(name), different), cut.of(name));
        }
    }

    private static List<String> meant(String cut, List<String> names) {
        Pattern pattern = Pattern.compile("\\Q" + cut.replace("…", "\\E.*\\Q") + "\\E");
        return names.stream().filter(name -> pattern.matcher(name).matches()).toList();
    }
}
