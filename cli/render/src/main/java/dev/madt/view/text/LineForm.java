package dev.madt.view.text;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionGroup;
import org.apache.commons.cli.Options;

/** Says which lines are printed. */
public enum LineForm {
    SYMBOLIC,
    RAW,
    BOTH;

    boolean symbolic() {
        return this != RAW;
    }

    boolean raw() {
        return this != SYMBOLIC;
    }

    /** Adds the options that choose one. */
    public static void addTo(Options options) {
        options.addOptionGroup(new OptionGroup()
                .addOption(Option.builder()
                        .longOpt("symbolic")
                        .desc("print names (default)")
                        .get())
                .addOption(
                        Option.builder().longOpt("raw").desc("print addresses").get())
                .addOption(Option.builder()
                        .longOpt("both")
                        .desc("print each line twice: with names, then with addresses")
                        .get()));
    }

    /** The form of the options, else of the variable MADT_LINES, else symbolic. */
    public static LineForm of(CommandLine line, int status) throws Failure {
        for (LineForm form : values()) {
            if (line.hasOption(form.word())) {
                return form;
            }
        }
        String set = System.getenv("MADT_LINES");
        if (set == null || set.isEmpty()) {
            return SYMBOLIC;
        }
        for (LineForm form : values()) {
            if (form.word().equals(set)) {
                return form;
            }
        }
        throw new Failure(
                status,
                "MADT_LINES is raw, symbolic or both, not '" + set + "'."
                        + Suggestion.sentence(set, List.of("raw", "symbolic", "both")));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
