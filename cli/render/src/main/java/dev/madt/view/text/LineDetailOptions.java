package dev.madt.view.text;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.natives.CxxDemangler;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.ShortNames;
import dev.madt.resolver.line.LineDetail;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options for what lines say beyond the paper's format. */
public final class LineDetailOptions {
    private static final Pattern PREFIX = Pattern.compile("(got\\.|DW\\.ref\\.|.*?::)(?=_[ZR])");

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
                        "show C++ and Rust names as in the source, shortened"
                                + " (with --tree the default)"))
                .addOption(option(
                        "no-demangle",
                        "with --tree or --inlines, show names as the linker knows them"));
    }

    /** Adds the options for the names in a view that has nothing but names. */
    public static Options addNames(Options options, boolean readable) {
        String other = readable ? "" : " (default)";
        return options.addOption(option(
                        "demangle",
                        "show names as in the source, shortened" + (readable ? " (default)" : "")))
                .addOption(option(
                        "no-demangle", "show C++ and Rust names as the linker knows them" + other));
    }

    /** What those options say. */
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
        Demangler demangler =
                names || chain && !mangled ? shortened(CxxDemangler.create()) : Demangler.NONE;
        return new LineDetail(
                source,
                line.hasOption("fields"),
                tree,
                names ? demangler : Demangler.NONE,
                demangler);
    }

    /** As {@link #shortened}; libstdc++ is loaded when a name asks for it. */
    public static Demangler readable() {
        return lazily(() -> shortened(CxxDemangler.create()));
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
        Demangler readable = readable();
        return List.of(
                lazily(CxxDemangler::create),
                readable,
                name -> ShortNames.withoutType(readable.demangle(name)));
    }

    private static Demangler lazily(Supplier<Demangler> maker) {
        return new Demangler() {
            private Demangler made;

            @Override
            public String demangle(String name) {
                if (!name.startsWith("_Z") && !name.startsWith("_R") && prefix(name) == 0) {
                    return name;
                }
                if (made == null) {
                    made = maker.get();
                }
                return made.demangle(name);
            }
        };
    }

    /**
     * How many characters stand in front of the linker's name: the file of a local one,
     * {@code got.} of a slot that leads to one, {@code DW.ref.} of what an exception table refers
     * to.
     */
    private static int prefix(String name) {
        Matcher prefix = PREFIX.matcher(name);
        return prefix.lookingAt() ? prefix.end() : 0;
    }

    /**
     * Readable names without template arguments; what is in front of the linker's name stays, and
     * so does {@code @plt}.
     */
    private static Demangler shortened(Demangler demangler) {
        return name -> {
            String file = name.substring(0, prefix(name));
            int end = name.indexOf('@', file.length());
            String linked =
                    end < 0 ? name.substring(file.length()) : name.substring(file.length(), end);
            String readable = demangler.demangle(linked);
            return readable.equals(linked)
                    ? name
                    : file
                            + ShortNames.of(readable)
                            + name.substring(file.length() + linked.length());
        };
    }
}
