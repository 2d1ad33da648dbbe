package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.guard.SwitchTime;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.InstrumentSyntaxException;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads instruments out of options and files. */
final class InstrumentOptions {
    /** Finds a place and actions, with quotes or without, and options, in a line of a file. */
    private static final Pattern LINE = Pattern.compile(
            "(?:'([^']*)'|(\\S+))\\s+(?:'([^']*)'|(.*?))(\\s+--(?:if|every|from|until)\\s.*)?");
    /** Finds one of these. */
    private static final Pattern MORE =
            Pattern.compile("\\s+--(if|every|from|until)\\s+(?:'([^']*)'|(.*?))"
                    + "(?=\\s+--(?:if|every|from|until)\\s|\\s*$)");
    /** The words of options that follow an instrument, in their order. */
    static final List<String> FOLLOWING =
            List.of(Instruments.CONDITION, Instruments.EVERY, Instruments.FROM, Instruments.UNTIL);

    private static final String COMMENT = "#";

    private InstrumentOptions() {}

    /**
     * Reads what the options say.
     *
     * @param options as {@link Instruments#of} has them
     * @param status of a failure
     */
    static List<Instrument> read(List<String[]> options, int status) throws Failure {
        List<Instrument> asked = new ArrayList<>();
        for (String[] option : options) {
            if (option[0] == null) {
                addFile(Path.of(option[1]), asked, status);
            } else {
                add("--" + Instruments.OPTION, option, asked, status);
            }
        }
        return asked;
    }

    /**
     * Reads what one says that is added while a recording goes on.
     *
     * @param number of the instrument
     */
    static Instrument read(String[] option, int number, int status) throws Failure {
        return read("--" + Instruments.OPTION, option, number, status);
    }

    private static void addFile(Path file, List<Instrument> asked, int status) throws Failure {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new Failure(status, "--" + Instruments.FILE + ": cannot read " + file + ".", e);
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith(COMMENT)) {
                continue;
            }
            String where = file + ":" + (i + 1);
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new Failure(
                        status,
                        where + ": a line is PLACE ACTION; …, and --if EXPR or others: " + line);
            }
            String[] texts = {either(parts, 1), either(parts, 3), "", "", "", ""};
            Matcher more = MORE.matcher(parts.group(5) == null ? "" : parts.group(5));
            while (more.find()) {
                texts[2 + FOLLOWING.indexOf(more.group(1))] = either(more, 2);
            }
            add(where, texts, asked, status);
        }
    }

    private static String either(Matcher parts, int group) {
        return parts.group(group) != null ? parts.group(group) : parts.group(group + 1);
    }

    private static void add(String where, String[] texts, List<Instrument> asked, int status)
            throws Failure {
        asked.add(read(where, texts, asked.size(), status));
    }

    private static Instrument read(String where, String[] texts, int number, int status)
            throws Failure {
        try {
            Instrument instrument = Instrument.of(
                    number,
                    texts[0],
                    texts[1],
                    Selection.of(texts[2], texts[3], texts[4], texts[5]));
            check(instrument);
            SwitchTime.of(texts[4], "--" + Instruments.FROM, status);
            SwitchTime.of(texts[5], "--" + Instruments.UNTIL, status);
            return instrument;
        } catch (InstrumentSyntaxException e) {
            throw new Failure(status, where + ": " + e.getMessage() + ".\n" + e.picture());
        }
    }

    /** Refuses what is not known at the place. */
    private static void check(Instrument instrument) throws InstrumentSyntaxException {
        int time = instrument.typedActions().indexOf(Action.Kind.TIME.word());
        if (instrument.times() && instrument.place().kind() != Place.Kind.ENTRY) {
            throw new InstrumentSyntaxException(
                    "time stands at a function, from its entry to its return",
                    instrument.typedActions(),
                    Math.max(0, time));
        }
        for (Leaf leaf : instrument.leaves()) {
            String wrong =
                    switch (leaf.kind()) {
                        case ARGUMENT ->
                            instrument.place().kind() == Place.Kind.ENTRY
                                            || instrument.place().kind() == Place.Kind.STATIC
                                    ? null
                                    : leaf.text() + " is known where a function is entered;"
                                            + " elsewhere say reg(rdi), for instance";
                        case RESULT ->
                            instrument.place().kind() == Place.Kind.RETURN
                                    ? null
                                    : "ret is known where a function returns, FUNC:return";
                        default -> null;
                    };
            if (wrong != null) {
                throw at(instrument, leaf, wrong);
            }
        }
    }

    private static InstrumentSyntaxException at(Instrument instrument, Leaf leaf, String wrong) {
        return at(instrument, leaf, leaf.column(), wrong);
    }

    /** Says what is wrong with a leaf of an instrument, at a column. */
    static InstrumentSyntaxException at(
            Instrument instrument, Leaf leaf, int column, String wrong) {
        boolean conditional =
                instrument.filter() != null && instrument.filter().leaves().contains(leaf);
        return new InstrumentSyntaxException(
                wrong, conditional ? instrument.condition() : instrument.typedActions(), column);
    }
}
