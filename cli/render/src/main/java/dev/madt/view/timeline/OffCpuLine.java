package dev.madt.view.timeline;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of characters about one thread: a letter where it did not run the program, and, where
 * there is room, the system call that it was in then, or who had its processor.
 */
final class OffCpuLine {
    /** Holds what the letters mean, for people. */
    static final String KEY =
            "letters above the calls: the thread did not run. w it waited, p it was preempted,\n"
                    + "s it was in a system call, m it waited for MadT;"
                    + " WPSM half of the time or more\n";

    /** Of the kinds that take equally long, the first one is shown. */
    private static final String LETTERS = "mpsw";

    private static final double LEAST = 0.1;
    private static final double HALF = 0.5;

    private final List<OffCpu> times;
    private final long first;
    private final double scale;
    private final int width;

    /**
     * @param times those of one thread
     * @param first the position at the left end
     * @param scale columns for each unit of positions
     */
    OffCpuLine(List<OffCpu> times, long first, double scale, int width) {
        this.times = times;
        this.first = first;
        this.scale = scale;
        this.width = width;
    }

    char[] draw() {
        char[] line = letters(parts());
        int to;
        for (int from = 0; from < width; from = to) {
            to = from + 1;
            while (to < width && line[to] == line[from]) {
                to++;
            }
            if (Character.isUpperCase(line[from])) {
                name(line, from, to);
            }
        }
        return line;
    }

    private double at(long position) {
        return Math.max(0, Math.min(width, (position - first) * scale));
    }

    /** By kind and column: the part of the column's time. */
    private double[][] parts() {
        double[][] parts = new double[LETTERS.length()][width];
        for (OffCpu time : times) {
            double[] columns = parts[LETTERS.indexOf(time.letter())];
            double from = at(time.from());
            double to = at(time.to());
            for (int column = (int) from; column < to; column++) {
                columns[column] += Math.min(to, column + 1) - Math.max(from, column);
            }
        }
        return parts;
    }

    private char[] letters(double[][] parts) {
        char[] line = new char[width];
        Arrays.fill(line, ' ');
        for (int column = 0; column < width; column++) {
            double most = LEAST;
            for (int kind = 0; kind < parts.length; kind++) {
                double part = parts[kind][column];
                if (part > most) {
                    most = part;
                    char letter = LETTERS.charAt(kind);
                    line[column] = part >= HALF ? Character.toUpperCase(letter) : letter;
                }
            }
        }
        return line;
    }

    /** Names what took most of the time between two columns of one kind. */
    private void name(char[] line, int from, int to) {
        Map<String, Double> named = new HashMap<>();
        double all = 0;
        for (OffCpu time : times) {
            double part = Math.min(to, at(time.to())) - Math.max(from, at(time.from()));
            if (part > 0 && time.letter() == Character.toLowerCase(line[from])) {
                named.merge(time.name(), part, Double::sum);
                all += part;
            }
        }
        for (Map.Entry<String, Double> entry : named.entrySet()) {
            String name = entry.getKey();
            int room = to - from - name.length() - 4;
            if (2 * entry.getValue() > all
                    && !name.isEmpty()
                    && room >= 0
                    && name.chars().noneMatch(Character::isISOControl)) {
                String shown = ' ' + name + ' ';
                shown.getChars(0, shown.length(), line, from + 1 + room / 2);
            }
        }
    }
}
