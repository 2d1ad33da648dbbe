package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One symbolic or raw line, taken apart by the grammar of docs/FORMAT.md and the manual.
 *
 * @param letter the event
 * @param raw whether it is a raw line
 * @param number running number
 * @param fields what stands behind the colon, split at the commas outside of {@code <…>},
 *     {@code (…)}, {@code […]} and {@code {…}}
 */
public record TraceLine(char letter, boolean raw, long number, String[] fields) {
    private static final Pattern LINE = Pattern.compile("([LSYWGMCPREFU])([$#])(\\d+):(.+)");
    private static final String HEX = "0x[0-9a-f]+";
    private static final String CODE_WORD = HEX + "~?";
    private static final String REGION = "\\[[^\\]]+\\]";
    private static final String BLOCK =
            "<(malloc|calloc|reallo|memmap|mremap|freed:|unmap:)\\d{4,}@.+>";
    private static final String CODE = "(?:[^<\\[].*|" + REGION + ")\\+\\d+~?";
    private static final String DATA = "(?:" + BLOCK + "|" + REGION + "|[^<\\[].*)\\+\\d+";
    private static final String NAME = "(?:" + BLOCK + "|.+|0)";
    /** The patterns of fields, as far as one was looked for. */
    private static final Map<String, Pattern> FIELDS = new ConcurrentHashMap<>();

    private static final Pattern CALL_SITE = Pattern.compile("<.{6}\\d+@(.*)\\+(\\d+)(~?)>.*");

    /**
     * Takes a line apart.
     *
     * @throws AssertionError if it is not a line
     */
    public static TraceLine parse(String text) {
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            throw new AssertionError("not a line: '" + text + "'");
        }
        TraceLine parsed = new TraceLine(
                line.group(1).charAt(0),
                line.group(2).equals("#"),
                Long.parseLong(line.group(3)),
                split(line.group(4)));
        String[] grammar = parsed.raw ? rawFields(parsed.letter) : symbolicFields(parsed.letter);
        boolean fits = grammar.length == parsed.fields.length;
        for (int i = 0; fits && i < grammar.length; i++) {
            Pattern field = FIELDS.computeIfAbsent(grammar[i], Pattern::compile);
            fits = field.matcher(parsed.fields[i]).matches();
        }
        if (!fits) {
            throw new AssertionError("'" + text + "' does not have the fields of " + parsed.letter);
        }
        return parsed;
    }

    private static String[] symbolicFields(char letter) {
        return switch (letter) {
            case 'L', 'S' -> new String[] {DATA, REGION, CODE};
            case 'Y' -> new String[] {DATA, DATA, "\\d+", REGION, REGION, CODE};
            case 'W', 'G' -> new String[] {DATA, "\\d+", REGION, CODE};
            case 'M', 'C', 'P' -> new String[] {NAME, "\\d+"};
            case 'R', 'E' -> new String[] {NAME, "\\d+", NAME};
            case 'F' -> new String[] {NAME, CODE};
            default -> new String[] {NAME, "\\d+", CODE};
        };
    }

    private static String[] rawFields(char letter) {
        return switch (letter) {
            case 'L', 'S' -> new String[] {HEX, REGION, HEX};
            case 'Y' -> new String[] {HEX, HEX, "\\d+", REGION, REGION, CODE_WORD};
            case 'W', 'G' -> new String[] {HEX, "\\d+", REGION, CODE_WORD};
            case 'M', 'C', 'P' -> new String[] {HEX, "\\d+", CODE_WORD};
            case 'R', 'E' -> new String[] {HEX, "\\d+", HEX, CODE_WORD};
            case 'F' -> new String[] {HEX, CODE_WORD};
            default -> new String[] {HEX, "\\d+", CODE_WORD};
        };
    }

    private static String[] split(String text) {
        List<String> fields = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<' || c == '(' || c == '[' || c == '{') {
                depth++;
            } else if (c == '>' || c == ')' || c == ']' || c == '}') {
                depth--;
            } else if (c == ',' && depth == 0) {
                fields.add(text.substring(start, i));
                start = i + 1;
            }
        }
        fields.add(text.substring(start));
        return fields.toArray(new String[0]);
    }

    public boolean isAllocation() {
        return "MCPREFU".indexOf(letter) >= 0;
    }

    public boolean isAccess() {
        return letter == 'L' || letter == 'S';
    }

    /** The line again. */
    public String text() {
        return letter + (raw ? "#" : "$") + number + ":" + String.join(",", fields);
    }

    public String last() {
        return fields[fields.length - 1];
    }

    /** Address of the code of a raw line, without the mark of a tail call. */
    public long rawCode() {
        return Long.decode(last().replace("~", ""));
    }

    /**
     * The code of a symbolic line: of the access or call, or of the call in the new block's forged
     * name.
     */
    public CodeName code() {
        if ("MCPRE".indexOf(letter) < 0) {
            return CodeName.parse(last());
        }
        Matcher site = CALL_SITE.matcher(fields[0]);
        return site.matches()
                ? new CodeName(
                        site.group(1),
                        Long.parseLong(site.group(2)),
                        !site.group(3).isEmpty())
                : null;
    }

    /**
     * A function (or {@code [module]}) and an offset in it.
     *
     * @param tail whether the offset is a return address, after a tail call
     */
    public record CodeName(String function, long offset, boolean tail) {
        static CodeName parse(String text) {
            boolean tail = text.endsWith("~");
            int plus = text.lastIndexOf('+');
            String offset = text.substring(plus + 1, text.length() - (tail ? 1 : 0));
            return new CodeName(text.substring(0, plus), Long.parseLong(offset), tail);
        }
    }
}
