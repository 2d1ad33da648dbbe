package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what a document shows with what a command prints. All has to be equal, word by word, but
 * for what docs/RECIPES.md says at its beginning: a line {@code …} stands for any lines; code's
 * offsets, addresses, times, process and thread numbers and folders are replaced in both; in lines
 * that count the whole run or a whole process, which libc's work is part of, all numbers are; and
 * shares may differ by half a percent.
 */
public final class Transcript {
    private static final String ANY = "…";
    private static final double NEAR = 0.5;
    private static final Pattern OFFSET = Pattern.compile("(?<=[\\w>)@])\\+\\d+~?(?=[^\\w]|$)");
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{3,}");
    private static final Pattern TIME = Pattern.compile("\\d[\\d,]*(\\.\\d+)? [nµm]?s\\b");
    /** A call's time, and how long it took, at the end of its line. */
    private static final Pattern CALL_TIMES =
            Pattern.compile("(?<=^[BXOQ]\\$\\d{1,9}:.{1,999}),(t=\\d+|\\d+,\\d+)$");

    private static final Pattern TRACE = Pattern.compile("\\.\\d+\\.madt");
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*");
    private static final Pattern WHOLE_RUN =
            Pattern.compile("^madt: .*|^… .*|.*  total$|.*  \\(no block\\)$|.* of [\\d,]+ events.*"
                    + "|wrote .* events of process .*|\\d+ /.*: (on|off), [\\d,]+ events, .*");
    private static final Pattern SHARE = Pattern.compile("\\d+\\.\\d");
    /** Headings of columns of process and thread numbers. */
    private static final Pattern NUMBERED = Pattern.compile("(?<=  )(thread|process)(?=  |$)");

    private static final int NOWHERE = -1;

    private Transcript() {}

    /** Returns whether the printed lines are those that are shown. */
    public static boolean agrees(List<String> shown, List<String> printed) {
        return agrees(normal(shown), normal(printed), 0, 0);
    }

    private static boolean agrees(List<String> shown, List<String> printed, int from, int at) {
        if (from == shown.size()) {
            return at == printed.size();
        }
        if (shown.get(from).equals(ANY)) {
            for (int next = at; next <= printed.size(); next++) {
                if (agrees(shown, printed, from + 1, next)) {
                    return true;
                }
            }
            return false;
        }
        return at < printed.size()
                && same(shown.get(from).split(" "), printed.get(at).split(" "))
                && agrees(shown, printed, from + 1, at + 1);
    }

    private static boolean same(String[] shown, String[] printed) {
        boolean same = shown.length == printed.length;
        for (int i = 0; same && i < shown.length; i++) {
            same = shown[i].equals(printed[i])
                    || i + 1 < shown.length
                            && shown[i + 1].equals("%")
                            && near(shown[i], printed[i]);
        }
        return same;
    }

    private static boolean near(String shown, String printed) {
        return SHARE.matcher(shown).matches()
                && SHARE.matcher(printed).matches()
                && Math.abs(Double.parseDouble(shown) - Double.parseDouble(printed)) <= NEAR;
    }

    /**
     * The lines with one blank between words, and without what differs from one run to the next.
     */
    static List<String> normal(List<String> lines) {
        List<String> normal = new ArrayList<>();
        int numbered = NOWHERE;
        boolean whole = false;
        for (String line : lines) {
            Matcher heading = NUMBERED.matcher(line);
            if (heading.find()) {
                numbered = heading.start(1);
                whole = heading.group(1).equals("process");
            } else if (line.isBlank()) {
                numbered = NOWHERE;
            }
            if (!line.isBlank()) {
                String text = normal(numbered == NOWHERE ? line : withoutNumber(line, numbered));
                normal.add(
                        numbered != NOWHERE && whole ? NUMBER.matcher(text).replaceAll("N") : text);
            }
        }
        return normal;
    }

    private static String normal(String line) {
        String text = OFFSET.matcher(line.strip()).replaceAll("+N");
        text = ADDRESS.matcher(text).replaceAll("0xN");
        text = TIME.matcher(text).replaceAll("N s");
        text = CALL_TIMES.matcher(text).replaceAll(",N");
        text = TRACE.matcher(text).replaceAll(".N.madt");
        text = WHOLE_RUN.matcher(text).matches() ? NUMBER.matcher(text).replaceAll("N") : text;
        return text.replaceAll("\\s+", " ");
    }

    /** The line without the number that begins in a column, which is a thread's or a process's. */
    private static String withoutNumber(String line, int column) {
        int end = column;
        while (end < line.length() && Character.isDigit(line.charAt(end))) {
            end++;
        }
        return end > column ? line.substring(0, column) + "N" + line.substring(end) : line;
    }
}
