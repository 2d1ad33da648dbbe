package dev.madt.view.text;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.natives.CxxDemangler;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.GrowingNames;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.resolver.demangle.ShortNames;
import dev.madt.resolver.line.LineDetail;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options for what lines say beyond the paper's format. */
public final class LineDetailOptions {
    private LineDetailOptions() {}

    public static Options addTo(Options options) {
        return options.addOption(option("source", "append the source line: ,file:line"))
                .addOption(option(
                        "inlines",
                        "append the source line with its function, and the functions that"
                                + " it is inlined in"))
                .addOption(option(
                        "fields",
                        "show members instead of offsets; a guess about a block ends in ?"))
                .addOption(option("tree", "indent lines of calls by the depth of the call"))
                .addOption(option(
                        "demangle",
                        "show names as in the source, shortened" + " (with --tree the default)"))
                .addOption(option(
                        "no-demangle",
                        "with --tree or --inlines, show names as the linker knows them"));
    }

    /** Adds the options for the names in a view that has nothing but names. */
    public static Options addNames(Options options, boolean readable) {
        String usual = " (default)";
        return addNames(options, readable ? usual : "", readable ? "" : usual);
    }

    /** As above, with what is said behind each of the two of when it is the default. */
    public static Options addNames(Options options, String readable, String other) {
        return options.addOption(
                        option("demangle", "show names as in the source, shortened" + readable))
                .addOption(option("no-demangle", "show names as the linker knows them" + other));
    }

    /** Returns what those options say. */
    public static Demangler names(CommandLine line, boolean readable) throws Failure {
        excludeEachOther(line);
        return line.hasOption("demangle") || readable && !line.hasOption("no-demangle")
                ? readable()
                : Demangler.NONE;
    }

    private static void excludeEachOther(CommandLine line) throws Failure {
        if (line.hasOption("demangle") && line.hasOption("no-demangle")) {
            throw new Failure(Status.USAGE, "--demangle and --no-demangle exclude each other.");
        }
    }

    private static Option option(String name, String text) {
        return Option.builder().longOpt(name).desc(text).get();
    }

    public static LineDetail of(CommandLine line) throws Failure {
        boolean tree = line.hasOption("tree");
        boolean chain = line.hasOption("inlines");
        boolean mangled = line.hasOption("no-demangle");
        boolean names = line.hasOption("demangle") || tree && !mangled;
        excludeEachOther(line);
        LineDetail.Source source = chain
                ? LineDetail.Source.CHAIN
                : line.hasOption("source") ? LineDetail.Source.PLACE : LineDetail.Source.NONE;
        Demangler demangler = names || chain && !mangled ? readable() : Demangler.NONE;
        return new LineDetail(
                source,
                line.hasOption("fields"),
                tree,
                names ? demangler : Demangler.NONE,
                demangler);
    }

    /** As {@link #shortened}. */
    public static Demangler readable() {
        return shortened(whole());
    }

    /** A book of names, without any so far. */
    public static NameBook book() {
        return new NameBook(whole());
    }

    /** Names that are made when the trace has been read. */
    public static LateNames late() {
        return new LateNames(whole());
    }

    /** The names of a trace that is still written. */
    public static Demangler growing() {
        return new GrowingNames(whole());
    }

    /** A name of the linker's as {@link #readable()} writes it. */
    public static String readable(String name) {
        return readable().demangle(name);
    }

    /**
     * In how many ways a name of the linker's may be written: as in the source, shortened, and
     * without the type that a template's function returns.
     */
    public static List<Demangler> spellings() {
        Demangler whole = whole();
        return List.of(
                spelling(whole, name -> name),
                spelling(whole, ShortNames::of),
                spelling(whole, ShortNames::brief));
    }

    private static Demangler spelling(Demangler whole, UnaryOperator<String> form) {
        return name -> Demangler.spelled(name, whole, form);
    }

    /** Readable names without template arguments, and without the types that functions return. */
    private static Demangler shortened(Demangler whole) {
        return spelling(whole, ShortNames::brief);
    }

    /** Whole names of the source; libstdc++ is loaded when a name asks for it. */
    private static Demangler whole() {
        return new Demangler() {
            private Demangler made;

            @Override
            public String demangle(String name) {
                if (made == null) {
                    made = CxxDemangler.create();
                }
                return made.demangle(name);
            }
        };
    }
}
