package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.console.Status;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs of a run that are recorded: all, or those that a pattern of {@code --only-program}
 * names. libmadt.so decides, in each program as it begins ({@code shim/start/pass.c}); a pattern is
 * compared with the path by which a program is executed, with the path of the file that runs, and
 * with the last part of both.
 *
 * @param patterns empty: all programs
 */
public record ChosenPrograms(List<String> patterns) {
    public static final String OPTION = "only-program";
    private static final int MOST = Long.SIZE;

    public static ChosenPrograms of(String[] patterns) throws Failure {
        ChosenPrograms chosen =
                new ChosenPrograms(patterns == null ? List.of() : List.of(patterns));
        if (chosen.patterns.contains("")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--" + OPTION + " needs a pattern, as in --" + OPTION + " 'cc1*'.");
        }
        if (chosen.patterns.size() > MOST || chosen.bytes().length > SharedLayout.PROGRAMS_SIZE) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "there are too many patterns of --" + OPTION + ": " + MOST + " patterns and "
                            + Numbers.grouped(SharedLayout.PROGRAMS_SIZE) + " bytes are the most.");
        }
        return chosen;
    }

    public boolean areAll() {
        return patterns.isEmpty();
    }

    /** Returns whether a program is recorded that is executed by this path. */
    public boolean include(Path program) {
        return areAll()
                || Stream.of(program, realPath(program))
                        .flatMap(path ->
                                Stream.of(path.toString(), path.getFileName().toString()))
                        .anyMatch(text -> patterns.stream()
                                .anyMatch(pattern ->
                                        Scope.pattern(pattern).matcher(text).matches()));
    }

    /** As /proc/self/exe names it. */
    public static Path realPath(Path program) {
        try {
            return program.toRealPath();
        } catch (IOException e) {
            return program;
        }
    }

    /** As the session page has them: each with a NUL, and a NUL behind the last. */
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String pattern : patterns) {
            bytes.writeBytes(pattern.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        bytes.write(0);
        return bytes.toByteArray();
    }

    /** The patterns that named no program, as options. */
    public List<String> unmatched(long matched) {
        List<String> unmatched = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            if ((matched >> i & 1) == 0) {
                unmatched.add("--" + OPTION + " '" + patterns.get(i) + "'");
            }
        }
        return unmatched;
    }
}
