package dev.madt.generated;

import dev.madt.natives.CodeSamples;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * Says for how much of its time a process was in code that it had made as it ran, by samples of the
 * kernel's: from when there first is such code to the end of the process.
 */
public final class GeneratedTime {
    /** Fewer tell nothing. */
    private static final int LEAST_SAMPLES = 20;

    private static final long MOMENT_NANOS = 250_000_000;

    private CodeSamples samples;
    /** The kernel forbids it, or the process has ended. */
    private boolean over;

    private long looked = System.nanoTime();
    private long all;
    private long inGenerated;

    /**
     * Takes samples of a process, which has made code by now; is to be called several times a
     * second.
     *
     * @param generated tells whether an address is in that code
     */
    public void follow(int pid, LongPredicate generated) {
        long now = System.nanoTime();
        if (samples == null && !over) {
            begin(pid);
        } else if (samples != null && now - looked > MOMENT_NANOS) {
            looked = now;
            take(pid, generated);
        }
    }

    private void begin(int pid) {
        samples = CodeSamples.open();
        over = samples == null;
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc", Integer.toString(pid), "task"))) {
            for (Path thread : threads) {
                boolean added = samples != null
                        && samples.add(Integer.parseInt(thread.getFileName().toString()));
                over |= !added && Files.exists(thread);
            }
        } catch (IOException e) {
            over = true; // it has ended
        }
        if (over) {
            close();
        }
    }

    private void take(int pid, LongPredicate generated) {
        samples.read((owner, code) -> {
            all += owner == pid ? 1 : 0;
            inGenerated += owner == pid && generated.test(code) ? 1 : 0;
        });
    }

    /** Takes the last samples, and gives back what it needs; the counts stay. */
    public void end(int pid, LongPredicate generated) {
        if (samples != null) {
            take(pid, generated);
            over = true;
            close();
        }
    }

    private void close() {
        if (samples != null) {
            samples.close();
            samples = null;
        }
    }

    /** {@code 23.4 % of its time (187 of 800 samples)}; empty where that is not known. */
    public String text() {
        return all < LEAST_SAMPLES
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.1f %% of its time (%,d of %,d samples)",
                        100.0 * inGenerated / all,
                        inGenerated,
                        all);
    }
}
