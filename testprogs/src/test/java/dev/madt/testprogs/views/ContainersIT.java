package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members of what the containers of the C++ libraries of GNU and LLVM hold. A program prints the
 * addresses of members that it accesses, with their sizes and the names that they are to have.
 */
class ContainersIT {
    private static final String SOURCE =
            """
            #include <cstdio>
            #include <deque>
            #include <forward_list>
            #include <list>
            #include <map>
            #include <memory>
            #include <optional>
            #include <set>
            #include <string>
            #include <tuple>
            #include <unordered_map>
            #include <variant>
            #include <vector>
            struct P { int a; double q; };
            struct Stock { long id; double price; };
            struct Circle { double r; };
            struct Square { int side; };
            static void say(const void *at, unsigned size, const char *name, const char *type) {
                std::printf("%p %u %s %s\\n", at, size, name, type);
            }
            #define SAY(place, name, type) \\
                (place = decltype(+place)(place + 1), say(&place, sizeof(place), name, type))
            std::optional<P> maybe;
            std::variant<Circle, Square> either;
            std::tuple<int, Stock> both;
            std::unique_ptr<P> only;
            std::vector<P> values;
            std::string text;
            int main() {
                std::map<int, P> tree;
                std::set<long> keys;
                std::unordered_map<long, Stock> table;
                std::list<Stock> list;
                std::forward_list<P> chain;
                std::deque<P> deque;
                for (int i = 0; i < 5; i++) {
                    keys.insert(i);
                    tree[i * 3].q = i;
                    table[i].price = i;
                    list.push_back({i, 1.0});
                    chain.push_front({i, 2.0});
                    deque.push_back({i, 3.0});
                    values.push_back({i, 4.0});
                }
                for (auto &each : tree) SAY(each.second.q, "->second.q", "P.q");
                for (auto &each : table) SAY(each.second.price, "->second.price", "Stock.price");
                for (auto &each : list) SAY(each.price, "->price", "Stock.price");
                for (auto &each : chain) SAY(each.a, "->a", "P.a");
                for (auto &each : deque) SAY(each.q, "[].q", "P.q");
                for (auto &each : values) SAY(each.a, "[].a", "P.a");
                for (auto &each : keys) {
                    auto &key = const_cast<long &>(each);
                    key = key + 0;
                    say(&key, sizeof(key), "->value", "-");
                }
                auto shared = std::make_shared<Stock>(Stock{1, 2.0});
                SAY(shared->price, "->price", "Stock.price");
                only = std::make_unique<P>();
                SAY(only->q, "->q", "P.q");
                maybe.emplace();
                SAY(maybe->q, ".q", "P.q");
                either = Square{3};
                SAY(std::get<1>(either).side, ".Square.side", "-");
                SAY(std::get<1>(both).price, ".get<1>.price", "Stock.price");
                SAY(std::get<0>(both), ".get<0>", "-");
                text = std::string(100, 'x');
                text[70] = 'y';
                say(&text[70], 1, "[]", "std::string_text");
                return 0;
            }
            """;

    /** Says what the program says of an address. */
    private record Place(int size, String name, String type) {}

    @TempDir
    static Path folder;

    private static final String LLVM = "libc++ ";
    private static final Map<String, Path> TRACES = new HashMap<>();
    private static final Map<String, Map<Long, Place>> PLACES = new HashMap<>();

    @BeforeAll
    static void record() throws Exception {
        Path source = Files.writeString(folder.resolve("containers.cpp"), SOURCE);
        for (String level : List.of("-O0", "-O2", LLVM + "-O0", LLVM + "-O2")) {
            Path program = folder.resolve("containers" + level.replaceAll("\\W", "_"));
            MadtRun.command(
                            folder,
                            List.of(
                                    "sh",
                                    "-c",
                                    compiler(level) + " -std=c++17 -g -o \"$0\" \"$1\"",
                                    program.toString(),
                                    source.toString()))
                    .expect(0);
            Path trace = folder.resolve(program.getFileName() + ".madt");
            String said = MadtRun.madt(
                            folder, "run", "-q", "-o", trace.toString(), "--", program.toString())
                    .expect(0)
                    .text();
            Map<Long, Place> of = new HashMap<>();
            for (String line : said.lines().toList()) {
                String[] words = line.split(" ");
                of.put(
                        Long.decode(words[0]),
                        new Place(Integer.parseInt(words[1]), words[2], words[3]));
            }
            TRACES.put(level, trace);
            PLACES.put(level, of);
        }
    }

    private static String compiler(String level) {
        return level.startsWith(LLVM)
                ? "clang++ -stdlib=libc++ " + level.substring(LLVM.length())
                : "g++ " + level;
    }

    /** Every access to such a member, and to nothing but it, is named as the program says. */
    @ParameterizedTest
    @ValueSource(strings = {"-O0", "-O2", LLVM + "-O0", LLVM + "-O2"})
    void shouldNameMembersAsTheProgramDoes(String level) throws Exception {
        List<String> rows = MadtRun.madt(
                        folder, "convert", "--to", "csv", TRACES.get(level).toString())
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> head = CsvLine.cells(rows.get(0));
        int kind = head.indexOf("kind");
        int address = head.indexOf("address");
        int size = head.indexOf("size");
        int member = head.indexOf("member");
        Map<String, Set<String>> wrong = new TreeMap<>();
        Set<Long> seen = new HashSet<>();
        for (String row : rows.subList(1, rows.size())) {
            List<String> cells = CsvLine.cells(row);
            Place place = cells.get(kind).matches("[LS]")
                    ? PLACES.get(level).get(Long.decode(cells.get(address)))
                    : null;
            if (place != null && cells.get(size).equals(Integer.toString(place.size()))) {
                seen.add(Long.decode(cells.get(address)));
                String plain =
                        cells.get(member).replaceFirst("\\?$", "").replaceAll("\\[\\d+\\]", "[]");
                if (!plain.equals(place.name().replaceFirst("^(->|\\.)", ""))) {
                    wrong.computeIfAbsent(place.name(), name -> new HashSet<>())
                            .add(cells.get(member) + " of " + row);
                }
            }
        }
        assertEquals(Map.of(), wrong);
        assertEquals(PLACES.get(level).keySet(), seen);
    }

    /** By type, values in any container are one row for each member. */
    @ParameterizedTest
    @ValueSource(strings = {"-O2", LLVM + "-O2"})
    void shouldCountMembersByTheirTypes(String level) throws Exception {
        Map<String, Long> rows = new HashMap<>();
        for (String row : MadtRun.madt(
                        folder,
                        "report",
                        "--by",
                        "type",
                        "--fields",
                        "--format",
                        "csv",
                        "--columns",
                        "loads,stores,type",
                        TRACES.get(level).toString())
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            List<String> cells = CsvLine.cells(row);
            rows.merge(
                    cells.get(2),
                    Long.parseLong(cells.get(0)) + Long.parseLong(cells.get(1)),
                    Long::sum);
        }
        List<String> missing = new ArrayList<>();
        for (Place place : PLACES.get(level).values()) {
            String name = place.type().replace('_', ' ');
            if (!name.equals("-")
                    && rows.getOrDefault(name, 0L) + rows.getOrDefault(name + "?", 0L) == 0) {
                missing.add(name);
            }
        }
        assertTrue(missing.isEmpty(), missing + " of " + rows);
        assertEquals(
                total(level, "--by", "type"),
                rows.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Parts of the containers themselves have the words that users know, in each library. */
    @ParameterizedTest
    @ValueSource(strings = {"-O0", LLVM + "-O0"})
    void shouldCallPartsOfContainersAlike(String level) throws Exception {
        String rows = MadtRun.madt(
                        folder,
                        "report",
                        "--by",
                        "symbol",
                        "--fields",
                        "--format",
                        "csv",
                        "--columns",
                        "loads,symbol",
                        TRACES.get(level).toString())
                .expect(0)
                .text()
                .replace("text[abi:cxx11]", "text");
        for (String name : List.of(
                "values.begin",
                "values.end",
                "values.end_of_storage",
                "text.data",
                "text.size",
                "maybe.has_value",
                "either.index")) {
            assertTrue(rows.matches("(?s).*," + Pattern.quote(name) + "\n.*"), name + ": " + rows);
        }
    }

    /** With any keys, what rows of members count adds up to what the trace has. */
    @ParameterizedTest
    @ValueSource(strings = {"site", "page", "block,line", "module,site,thread"})
    @SoakCases({"function", "line", "thread", "region", "symbol,thread", "type,function"})
    void shouldSplitRowsByAnyKeysIntoMembers(String keys) throws Exception {
        long members = total("-O2", "--by", keys, "--fields");
        assertEquals(total("-O2", "--by", keys), members);
        String text = MadtRun.madt(
                        folder,
                        "report",
                        "--wide",
                        "--fields",
                        "--by",
                        keys,
                        TRACES.get("-O2").toString())
                .expect(0)
                .text();
        assertTrue(text.contains("price?"), text);
    }

    private long total(String level, String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("report", "--format", "csv", "--columns", "loads,stores"));
        command.addAll(List.of(options));
        command.add(TRACES.get(level).toString());
        return MadtRun.madt(folder, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .flatMap(row -> List.of(row.split(",")).stream())
                .mapToLong(Long::parseLong)
                .sum();
    }
}
