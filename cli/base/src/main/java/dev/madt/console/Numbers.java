package dev.madt.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as people read them: 1,204,311. */
public final class Numbers {
    private static final Pattern SIZE =
            Pattern.compile("([0-9]{1,12})([KMG]?)(i?B)?", Pattern.CASE_INSENSITIVE);

    /** Of a hundred; what is less would be written as 0.0. */
    private static final double LEAST_SHARE = 0.05;

    private Numbers() {}

    public static String grouped(long number) {
        String digits = Long.toString(number);
        int first = number < 0 ? 1 : 0;
        StringBuilder grouped = new StringBuilder(digits);
        for (int at = digits.length() - 3; at > first; at -= 3) {
            grouped.insert(at, ',');
        }
        return grouped.toString();
    }

    /**
     * A share in percent with one digit behind the point, as {@code %.1f %%} gives it; zero has no
     * sign. The first such format of a JVM takes as long as reading a short trace.
     */
    public static String percent(double percent) {
        if (!Double.isFinite(percent)) {
            return percent + " %";
        }
        return BigDecimal.valueOf(percent).setScale(1, RoundingMode.HALF_UP).toPlainString() + " %";
    }

    /** As {@link #percent}, but what is more than nothing is not written as zero. */
    public static String share(double percent) {
        return percent > 0 && percent < LEAST_SHARE ? "less than 0.1 %" : percent(percent);
    }

    /** "1 access", "2 accesses". */
    public static String counted(long number, String one, String many) {
        return grouped(number) + " " + (number == 1 ? one : many);
    }

    /**
     * A number of bytes with K, M or G (powers of 1,024) behind it or nothing; -1 if the text is
     * none.
     */
    public static long bytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return -1;
        }
        long value = Long.parseLong(size.group(1));
        int shift = 10
                * " KMG".indexOf((size.group(2) + " ").toUpperCase(Locale.ROOT).charAt(0));
        return value > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : value << shift;
    }
}
