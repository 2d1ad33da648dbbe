package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.type.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guesses of what calls allocate; behind each call stands the expected type, or nothing. */
class AllocatedTypeTest {
    private static final Pattern CALL =
            Pattern.compile(" *([0-9a-f]+):\t.*call.*<(malloc|calloc|realloc|_Znwm|_Znam)@plt>");
    private static final String C =
            """
            #include <stdlib.h>
            struct cell { short weight; double mean; };
            typedef struct cell cell_t;
            struct tree { struct tree *left, *right[2]; int *numbers; struct { cell_t *cells; } \
            in; };
            static struct tree root;
            static void *sink;
            static struct tree *plant(void) { return calloc(1, sizeof(struct tree)); } // = struct \
            tree
            static void fill(struct tree **place) {
                *place = malloc(sizeof(struct tree)); // = struct tree
            }
            int main(void) {
                struct cell *cells = malloc(4 * sizeof *cells); // = struct cell
                cell_t *more =
                    calloc(3, sizeof(cell_t)); // = cell_t
                root.right[1] = (struct tree *)malloc(sizeof(struct tree)); // = struct tree
                root.right[1]->in.cells = realloc(NULL, 70); // = cell_t
                root.numbers = malloc(12); // = int
                sink = malloc(sizeof(struct cell)); // = struct cell
                sink = malloc(17); // =
                char *a = malloc(1), *b = malloc(2); // =
                if ((root.left = malloc(sizeof(struct tree))) == NULL) // = struct tree
                    return 1;
                fill(&root.left);
                return plant() == NULL || cells == NULL || more == NULL || a == b;
            }
            """;
    private static final String CPP =
            """
            #include <cstdlib>
            namespace shop {
            struct Shape { long id; virtual ~Shape() = default; };
            struct Square : Shape { double side[2]; };
            }
            struct Owner {
                shop::Shape *held;
                char *text;
                void take() {
                    held = new shop::Square; // = shop::Square
                    text = static_cast<char *>(malloc(40)); // = char
                    this->held = (shop::Shape *)malloc(sizeof(shop::Shape)); // = shop::Shape
                }
            };
            namespace other {
            struct Square {
                char edge[5];
            };
            Square *made() {
                return new Square; // = other::Square
            }
            }
            template <class T> struct Round : shop::Shape { T edge; };
            Owner owner;
            int main() {
                other::Square *plain = new other::Square[2]; // = other::Square
                plain = other::made() + (plain != nullptr);
                auto *many = new shop::Square[3]; // = shop::Square
                double *number = new double(3); // = double
                auto *wide = new unsigned long[5]; // = long unsigned int
                for (auto *p = new long[4], *q = p + 4; p != q; p++) *p = 1; // = long int
                void *shorts = malloc(3 * sizeof(short unsigned)); // = short unsigned int
                owner.take();
                owner.held = new Round<int>; // =
                return many == nullptr || number == nullptr || wide == nullptr || !shorts;
            }
            """;

    @TempDir
    Path folder;

    @Test
    void shouldGuessByTheLineInC() throws Exception {
        compare("allocate.c", C, "gcc");
    }

    @Test
    void shouldGuessByTheLineInCxx() throws Exception {
        compare("allocate.cpp", CPP, "g++");
    }

    private void compare(String name, String source, String compiler) throws Exception {
        Path file = Files.writeString(folder.resolve(name), source);
        Path program = folder.resolve("program");
        CommandOutput.lines(
                compiler,
                "-g",
                "-O0",
                "-fcf-protection=none",
                "-o",
                program.toString(),
                file.toString());
        DebugInfo info = DebugInfo.open(program, Assertions::fail);
        String[] lines = source.split("\n");
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> found = new TreeMap<>();
        for (String instruction :
                CommandOutput.lines("objdump", "-d", "--no-show-raw-insn", program.toString())) {
            Matcher call = CALL.matcher(instruction);
            if (call.matches()) {
                long address = Long.parseLong(call.group(1), 16);
                int line = info.frames(address).get(0).line();
                Type type = info.allocated(address);
                expected.put(
                        line + " 0x" + call.group(1),
                        lines[line - 1].replaceFirst("^.*// =", "").strip());
                found.put(line + " 0x" + call.group(1), type == null ? "" : type.name());
            }
        }
        assertEquals(expected, found);
        assertTrue(found.size() >= 5, found.toString());
    }

    @Test
    void shouldGuessNothingWithoutTheSource() throws Exception {
        Path file = Files.writeString(folder.resolve("gone.c"), C);
        Path program = folder.resolve("program");
        CommandOutput.lines("gcc", "-g", "-o", program.toString(), file.toString());
        Files.delete(file);
        DebugInfo info = DebugInfo.open(program, Assertions::fail);
        for (long address : SampleProgram.instructions(program)) {
            assertNull(info.allocated(address));
        }
    }
}
