package dev.madt.testprogs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs whose calls are traced, in {@code testprogs/calls}. */
public final class CallProgram {
    private CallProgram() {}

    /**
     * Compiles one, lightly optimised.
     *
     * @param directory where the program comes to be, under the source's name without its suffix
     * @param options what else the compiler is told
     */
    public static Path build(Path directory, String source, String... options) throws Exception {
        Path program = directory.resolve(source.substring(0, source.lastIndexOf('.')));
        List<String> command = new ArrayList<>(
                List.of(source.endsWith(".c") ? "gcc" : "g++", "-O1", "-pthread", "-o"));
        command.add("" + program);
        command.add("" + MadtRun.root().resolve("testprogs/calls").resolve(source));
        command.addAll(List.of(options));
        MadtRun.command(directory, command).expect(0);
        return program;
    }
}
