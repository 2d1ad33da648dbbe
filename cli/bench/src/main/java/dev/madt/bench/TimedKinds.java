package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of {@code madt-native/bench} that does several kinds of work so many times each, and
 * prints the name of each kind and its nanoseconds.
 */
final class TimedKinds {
    private final Path program;
    private final int repetitions;

    /** @throws Failure if it has not been built */
    TimedKinds(Path home, String name, int repetitions) throws Failure {
        program = home.resolve("madt-native/target/bench").resolve(name);
        this.repetitions = repetitions;
        if (!Files.isExecutable(program)) {
            throw new Failure(
                    Status.FAILED, program + " is not there. Build it with: make -C madt-native");
        }
    }

    /**
     * Runs it below a tool and keeps what is better.
     *
     * @param best by the name of the kind
     * @param tool the command in front of the program's; empty: it runs alone
     */
    void better(Map<String, Double> best, List<String> tool)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(tool);
        words.add(program.toString());
        words.add(Integer.toString(repetitions));
        for (String line : MeasuredProcess.output(words).strip().split("\n")) {
            String[] kind = line.split(" ");
            if (kind.length == 2 && kind[1].matches("[0-9.]+")) { // tools say other things, too
                best.merge(kind[0], Double.parseDouble(kind[1]), Math::min);
            }
        }
    }
}
