package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Elements of Fortran's arrays and members of its types are named as the program writes them. It
 * prints their addresses itself, as {@code loc} gives them.
 */
class FortranIT {
    private static final Pattern LINE = Pattern.compile("[LS]([#$])(\\d+):(.*?),\\[.*");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"splice,-O0,-gdwarf-5", "trap,-O2,-gdwarf-4"})
    void shouldNamePlacesAsTheProgramDoes(String engine, String level, String version)
            throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gfortran")), "no gfortran");
        Path program = directory.resolve("storage");
        Path source = Path.of("../resolver/src/test/fortran/storage.f90").toAbsolutePath();
        MadtRun.command(
                        directory,
                        List.of(
                                "gfortran",
                                "-g",
                                level,
                                version,
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        String trace = directory.resolve("storage.madt").toString();
        String printed = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        trace,
                        "--",
                        program.toString())
                .expect(0)
                .text();
        Map<Long, Set<String>> names =
                names(MadtRun.madt(directory, "print", "--both", "--fields", trace)
                        .expect(0)
                        .text());
        assertEquals(23, printed.lines().count(), printed);
        for (String line : printed.lines().toList()) {
            int blank = line.lastIndexOf(' ');
            long address = Long.parseUnsignedLong(line.substring(blank + 1), 16);
            assertNamed(line.substring(0, blank), names.getOrDefault(address, Set.of()));
        }
    }

    /** Has two statements on a line: of two types, and of one. */
    private static final String TWO_STATEMENTS =
            """
            program two
              type pt
                real(8) :: x, y
              end type
              type(pt), allocatable :: pts(:)
              real(8), allocatable :: a(:,:), b(:), c(:)
              allocate(pts(100)); allocate(a(10,20))
              allocate(b(4)); allocate(c(5))
              pts(1)%x = 1
              a(3,4) = 2
              b(2) = 3
              c(3) = 4
            end program
            """;

    @Test
    void shouldNotGuessWhichOfTwoStatementsAllocates() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gfortran")), "no gfortran");
        Path source = Files.writeString(directory.resolve("two.f90"), TWO_STATEMENTS);
        MadtRun.command(directory, List.of("gfortran", "-g", "-o", "two", source.toString()))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "-o", "two.madt", "--", "./two").expect(0);
        Set<String> guesses = new TreeSet<>();
        Matcher guess = Pattern.compile("<malloc\\d+@MAIN__[^>]*>([^\\s?]*\\?)")
                .matcher(MadtRun.madt(directory, "print", "--fields", "two.madt")
                        .expect(0)
                        .text());
        while (guess.find()) {
            guesses.add(guess.group(1));
        }
        assertEquals(Set.of("(2)?", "(3)?"), guesses);
    }

    private static void assertNamed(String expected, Set<String> names) {
        boolean one = expected.startsWith("|");
        String wanted = one ? expected.substring(1) : expected;
        assertTrue(
                names.stream()
                        .anyMatch(name -> one
                                ? Set.of(name.split("[%{|}]")).contains(wanted)
                                : bare(name).equals(wanted)),
                expected + " is called " + names);
    }

    /** Without what the linker puts around the names of variables, and without places of calls. */
    private static String bare(String name) {
        return name.replaceFirst("^__grid_mod_MOD_", "")
                .replaceFirst("^(kept)\\.\\d+", "$1")
                .replaceFirst("^<malloc\\d+@[^>]*>", "malloc");
    }

    /** The symbolic names of each address that is accessed. */
    private static Map<Long, Set<String>> names(String lines) {
        Map<String, String> byNumber = new HashMap<>();
        Map<Long, Set<String>> names = new HashMap<>();
        for (String line : lines.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && matcher.group(1).equals("$")) {
                byNumber.put(matcher.group(2), matcher.group(3));
            } else if (matcher.matches()) {
                names.computeIfAbsent(Long.decode(matcher.group(3)), absent -> new HashSet<>())
                        .add(byNumber.get(matcher.group(2)));
            }
        }
        return names;
    }
}
