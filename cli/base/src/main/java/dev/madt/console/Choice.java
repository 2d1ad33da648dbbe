package dev.madt.console;

import java.util.List;
import org.apache.commons.cli.CommandLine;

/** The value of an option, checked: one of several words, or a number. */
public final class Choice {
    /** Endings of files that hold no text for people. */
    private static final List<String> DRAWN = List.of("html", "svg", "png");

    private Choice() {}

    /** One of the words; {@code otherwise}, which may be null, when the option is not there. */
    public static String of(CommandLine line, String option, List<String> words, String otherwise)
            throws Failure {
        String word = line.getOptionValue(option);
        return word == null ? otherwise : checked(option, word, words);
    }

    /**
     * The form of a result: the first one without {@code --format}, or the one by which the file of
     * {@code -o} is called, if that is a picture or a page.
     */
    public static String format(CommandLine line, List<String> words) throws Failure {
        String file = line.getOptionValue("output", "");
        String ending = file.substring(file.lastIndexOf('.') + 1);
        if (line.hasOption("format") || !DRAWN.contains(ending)) {
            return of(line, "format", words, words.get(0));
        }
        if (!words.contains(ending)) {
            throw new Failure(
                    Status.USAGE,
                    "what goes to " + file + " would be " + words.get(0) + ": it can be "
                            + String.join(", ", words) + ", as --format says. Pages and pictures"
                            + " come from madt view, heatmap, flame and others.");
        }
        return ending;
    }

    /** The value of an option, which has to be one of the words. */
    public static String checked(String option, String word, List<String> words) throws Failure {
        if (!words.contains(word)) {
            String all = String.join(", ", words.subList(0, words.size() - 1)) + " or "
                    + words.get(words.size() - 1);
            throw new Failure(
                    Status.USAGE,
                    "--" + option + " is " + all + ", not '" + word + "'."
                            + Suggestion.sentence(word, words));
        }
        return word;
    }

    /** A percentage, as a part of 1. */
    public static double percent(CommandLine line, String option, double otherwise) throws Failure {
        String text = line.getOptionValue(option, Double.toString(otherwise));
        String number =
                text.endsWith("%") ? text.substring(0, text.length() - 1).strip() : text;
        if (number.matches("\\d{1,3}(\\.\\d{1,9})?") && Double.parseDouble(number) <= 100) {
            return Double.parseDouble(number) / 100;
        }
        throw new Failure(
                Status.USAGE,
                "--" + option + " is a percentage from 0 to 100, not '" + text + "'.");
    }

    /** A whole number from {@code least}. */
    public static long number(CommandLine line, String option, long least, long otherwise)
            throws Failure {
        String text = line.getOptionValue(option);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.replace("_", "").replace(",", ""));
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new Failure(
                Status.USAGE,
                "--" + option + " is a number from " + least + ", not '" + text + "'.");
    }
}
