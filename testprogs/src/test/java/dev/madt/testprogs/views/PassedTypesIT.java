package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Types of blocks that are allocated by functions which pass on what they are asked for: those of a
 * program in C, and the libraries of C++ and Rust.
 */
class PassedTypesIT {
    private static final Pattern BLOCK = Pattern.compile("<[a-z]+\\d+@(?:.*:)?(\\w+)\\+\\d+>");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"gcc -O2", "clang -O1"})
    @SoakCases("gcc -O0")
    void shouldKnowWhatCallersAskFor(String compiler) throws Exception {
        Map<String, Set<String>> types = types("passed.c", compiler, "-g");
        assertEquals(
                Map.of(
                        "node_new", Set.of("struct node?"),
                        "table_new", Set.of("struct node *?", "struct table?"),
                        "shorts_new", Set.of("short?"),
                        "doubles_new", Set.of("double?"),
                        "sorted", Set.of("", "long?")),
                types);
    }

    @ParameterizedTest
    @ValueSource(strings = "rustc -O")
    @SoakCases("rustc")
    void shouldKnowWhatTheLibrariesOfRustHold(String compiler) throws Exception {
        Map<String, Set<String>> types = types("boxes.rs", compiler, "-g");
        Map<String, Set<String>> expected = new TreeMap<>(Map.of(
                "boxed", Set.of("boxes::Item?"),
                "reserved", Set.of("boxes::Item?"),
                "pushed", Set.of("f64?"),
                "filled", Set.of("u32?"),
                "collected", Set.of("i64?"),
                "shared", Set.of("alloc::rc::RcInner<core::cell::RefCell<boxes::Item>>?"),
                "atomic", Set.of("alloc::sync::ArcInner<boxes::Node>?"),
                "hashed", Set.of("(u32, boxes::Item)?"),
                "set", Set.of("(u16, ())?"),
                "queue", Set.of("u16?")));
        expected.putAll(Map.of(
                "sorted",
                Set.of(
                        "alloc::collections::btree::node::LeafNode<u32, f64>?",
                        "alloc::collections::btree::node::InternalNode<u32, f64>?"),
                "tree",
                Set.of("boxes::Node?"),
                "text",
                Set.of("u8?"),
                "slice",
                Set.of("i16?")));
        types.keySet().retainAll(expected.keySet()); // what starts a program allocates, too
        types.replaceAll((function, names) -> names.stream()
                .map(name -> name.replace("RcBox", "RcInner")) // before Rust 1.80
                .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(expected, types);
    }

    /** Compilers may do without some of the blocks. */
    @ParameterizedTest
    @ValueSource(strings = "g++ -std=c++17 -O2")
    @SoakCases({"g++ -std=c++17 -O0", "clang++ -std=c++17 -O1"})
    void shouldKnowWhatContainersHold(String compiler) throws Exception {
        Map<String, Set<String>> types = types("kinds.cpp", compiler, "-g");
        Map<String, Set<String>> expected = new TreeMap<>();
        String[] values = {
            "any P?",
            "array P?",
            "malloc P?",
            "own P?",
            "pmr P?",
            "queue P?",
            "vector P?",
            "control |P?",
            "deque P *?|P?",
            "reserve float?",
            "string std::string text?",
            "forward std::_Fwd_list_node<P>?",
            "list std::_List_node<P>?",
            "map std::_Rb_tree_node<std::pair<int const, P> >?",
            "multimap std::_Rb_tree_node<std::pair<int const, P> >?",
            "set std::_Rb_tree_node<P>?",
            "hashed std::__detail::_Hash_node<char, false>?|std::__detail::_Hash_node_base *?",
            "unordered std::__detail::_Hash_node<std::pair<int const, P>, false>?"
                    + "|std::__detail::_Hash_node_base *?",
            "shared std::_Sp_counted_ptr_inplace<P, std::allocator<void>, ATOMIC>?",
            "allocate std::_Sp_counted_ptr_inplace<P, Own<P>, ATOMIC>?",
            "function {kinds.cpp}?",
        };
        for (String value : values) {
            int blank = value.indexOf(' ');
            expected.put(
                    "k_" + value.substring(0, blank),
                    Set.of(value.substring(blank + 1).split("\\|")));
        }
        assertTrue(types.size() >= 19, types.toString());
        assertTrue(expected.keySet().containsAll(types.keySet()), types.toString());
        expected.keySet().retainAll(types.keySet());
        types.replaceAll((function, names) -> names.stream()
                .map(name -> name.replace("const int", "int const")
                        .replaceAll("__gnu_cxx::_S_atomic|\\(__gnu_cxx::_Lock_policy\\)2", "ATOMIC")
                        .replaceAll("(struct|class) \\{kinds.cpp:\\d+}", "{kinds.cpp}"))
                .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(expected, types);
    }

    /** By the function that a block is called by, the types of its blocks. */
    private Map<String, Set<String>> types(String source, String compiler, String option)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        Assumptions.assumeTrue(
                List.of(System.getenv("PATH").split(":")).stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command.get(0)))),
                () -> "no " + command.get(0));
        Path program = directory.resolve("program");
        command.addAll(List.of(
                option,
                "-o",
                program.toString(),
                MadtRun.root().resolve("testprogs/names").resolve(source).toString()));
        MadtRun.command(directory, command).expect(0);
        String trace = directory.resolve("t.madt").toString();
        MadtRun.madt(directory, "run", "-qf", "-o", trace, "--", program.toString())
                .expect(0);
        Map<String, Set<String>> types = new TreeMap<>();
        for (List<String> cells : BlockTypes.of(directory, trace)) {
            Matcher block = BLOCK.matcher(cells.get(0));
            if (block.matches()) {
                types.computeIfAbsent(block.group(1), absent -> new TreeSet<>()).add(cells.get(1));
            }
        }
        return types;
    }
}
