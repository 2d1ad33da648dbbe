package dev.madt.testprogs.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how long threads waited in {@code futex}, as {@code strace -f -T -o} writes it down. */
final class FutexWaits {
    private static final Pattern BEGUN =
            Pattern.compile("(\\d+) +futex\\((0x[0-9a-f]+), FUTEX_(WAIT|LOCK)[\\w|]*, .*");

    private static final Pattern ENDED = Pattern.compile("(\\d+) .*<(\\d+\\.\\d+)>");

    private FutexWaits() {}

    /** A wait of a thread at a word, which has ended. */
    record Wait(int thread, long word, double seconds) {}

    static List<Wait> of(List<String> lines) {
        List<Wait> waits = new ArrayList<>();
        Map<String, Long> words = new HashMap<>();
        for (String line : lines) {
            Matcher begun = BEGUN.matcher(line);
            if (begun.matches()) {
                words.put(begun.group(1), Long.decode(begun.group(2)));
            } else if (line.contains(" futex(")) {
                words.remove(line.substring(0, line.indexOf(' ')));
            }
            Matcher ended = ENDED.matcher(line);
            Long word = ended.matches() ? words.remove(ended.group(1)) : null;
            if (word != null) {
                int thread = Integer.parseInt(ended.group(1));
                waits.add(new Wait(thread, word, Double.parseDouble(ended.group(2))));
            }
        }
        return waits;
    }
}
