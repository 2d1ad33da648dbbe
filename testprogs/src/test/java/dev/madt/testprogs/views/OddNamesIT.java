package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A program whose names hold escape sequences, ends of lines, commas, quotes, tabs, tags,
 * backslashes and what is no UTF-8: they break no format.
 */
class OddNamesIT {
    /**
     * In the place of names of 20 letters, byte for byte (the strings stand for bytes of ISO
     * 8859-1).
     */
    private static final Map<String, String> NAMES = Map.of(
            "name_of_a_variable__", "v\033[31m\n,\"'\t\\x1b\377<b>v",
            "name_of_a_function__", "(1) f\033]0;t\007,\"\r\nfn=zz",
            "another_function____", "</script>&\"'\u009b31m,;fg");

    private static final String VARIABLE = "v\\x1b[31m\\x0a\\x2c\"'\\x09\\\\x1b\\xff<b>v";
    private static final String FUNCTION = "(1) f\\x1b]0;t\\x07\\x2c\"\\x0d\\x0afn=zz";
    private static final String OTHER = "</script>&\"'\\x9b31m\\x2c;fg";

    @TempDir
    static Path directory;

    private static Path trace;

    @BeforeAll
    static void record() throws Exception {
        Path program = directory.resolve("odd\033[1m,\n\"program");
        Files.write(program, renamed(Files.readAllBytes(MadtRun.program("odd_names"))));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-o",
                        trace.toString(),
                        "--",
                        program.toString(),
                        "an\033[2Jargument",
                        "it's\nthree")
                .expect(0);
        byte[] said = run.errors().getBytes(StandardCharsets.ISO_8859_1);
        harmless(new String(said, StandardCharsets.UTF_8));
    }

    private static byte[] renamed(byte[] file) throws Exception {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            assertEquals(name.getKey().length(), name.getValue().length(), name.getKey());
            assertTrue(text.contains('\0' + name.getKey() + '\0'));
            text = text.replace('\0' + name.getKey() + '\0', '\0' + name.getValue() + '\0');
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Nothing in it but text and ends of lines. */
    private static String harmless(String text) {
        text.codePoints()
                .filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0xfffd))
                .findFirst()
                .ifPresent(c -> {
                    throw new AssertionError(String.format("U+%04x in: %s", c, text));
                });
        return text;
    }

    private String view(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(trace.toString());
        return harmless(MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text());
    }

    @Test
    void shouldPrintLinesOfWholeFields() throws Exception {
        String lines = view("print");
        lines.lines()
                .forEach(line -> assertTrue(
                        line.matches(
                                "[LS]\\$\\d+:[^,]+,[^,]+,[^,]+|[MC]\\$\\d+:[^,]+,\\d+|F\\$\\d+:"
                                        + "[^,]+,[^,]+|[YWG]\\$.*"),
                        line));
        assertTrue(lines.contains(":" + VARIABLE + "+24,[.bss]," + OTHER + "+"), lines);
        assertTrue(lines.contains(":<malloc0001@" + FUNCTION + "+"), lines);
        assertEquals(
                49,
                view("print", "--symbol", VARIABLE, "--kind", "access").lines().count());
    }

    @ParameterizedTest
    @CsvSource({
        "report --by symbol",
        "report --by function --format csv",
        "report --by site --format json",
        "report --by block",
        "info",
        "dump",
        "convert --to csv",
        "convert --to massif",
        "convert --to oprofile",
        "convert --to callgrind",
        "convert --to cachegrind",
        "heatmap"
    })
    void shouldShowNoControlCharacters(String command) throws Exception {
        view(command.split(" "));
    }

    @Test
    void shouldNotBreakTheFormatsOfOthers() throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", "-c", READER));
        for (String words : List.of(
                "report --by symbol --format csv -o r.csv",
                "report --by symbol --format json -o r.json",
                "convert --to csv -o c.csv",
                "convert --to dhat -o d.json",
                "convert --to callgrind -o callgrind.out",
                "heatmap -o h.svg",
                "heatmap -o h.html",
                "view -o v.html")) {
            view(words.split(" "));
        }
        command.addAll(List.of(VARIABLE, FUNCTION, OTHER));
        assertEquals("read\n", MadtRun.command(directory, command).expect(0).text());
        String annotated = MadtRun.command(
                        directory,
                        List.of("callgrind_annotate", "--threshold=100", "callgrind.out"))
                .expect(0)
                .text();
        assertTrue(
                annotated.contains("\\x28" + FUNCTION.substring(1)) && annotated.contains(OTHER),
                annotated);
    }

    private static final String READER =
            """
            import csv, json, sys, xml.dom.minidom
            variable, function, other = sys.argv[1:]
            def rows(name):
                with open(name, newline='') as file:
                    read = list(csv.reader(file, strict=True))
                assert len({len(row) for row in read}) == 1, name
                return [field for row in read for field in row]
            assert variable in rows('r.csv')
            fields = rows('c.csv')
            assert variable in fields and any(field.startswith(other + '+') for field in fields)
            def strings(value):
                inner = value.values() if isinstance(value, dict) else value if isinstance(value, \
            list) else []
                return [value] if isinstance(value, str) else [text for part in inner for text in \
            strings(part)]
            assert variable in strings(json.load(open('r.json')))
            assert any(function in frame for frame in json.load(open('d.json'))['ftbl'])
            xml.dom.minidom.parse('h.svg')
            page = open('h.html', encoding='utf-8').read()
            assert json.dumps(variable, ensure_ascii=False).replace('<', r'\\u003c') in page and \
            page.count('</script>') == 1
            print('read')
            """;
}
