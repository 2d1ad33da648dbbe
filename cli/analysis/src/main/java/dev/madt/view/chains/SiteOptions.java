package dev.madt.view.chains;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.CallChain;
import dev.madt.view.NamePattern;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options that say by which of the calls that led to a block tables name it. */
public final class SiteOptions {
    public static final String BLOCKS_BY = "blocks-by";
    public static final String THROUGH = "through";

    private static final String INNER = "inner";
    private static final String USER = "user";

    private SiteOptions() {}

    public static Options addTo(Options options) {
        return options.addOption(Option.builder()
                        .longOpt(BLOCKS_BY)
                        .hasArg()
                        .argName("HOW")
                        .desc("name them by the call in user (default), inner or FUNC")
                        .get())
                .addOption(Option.builder()
                        .longOpt(THROUGH)
                        .hasArg()
                        .argName("FUNC")
                        .desc("take this function for an allocator, too; may repeat")
                        .get());
    }

    /** Returns whether a value of {@code --site} says how blocks are named, and selects nothing. */
    public static boolean isHow(String site) {
        return INNER.equals(site) || USER.equals(site);
    }

    private static String how(CommandLine line) {
        String site = line.getOptionValue("site");
        return line.getOptionValue(BLOCKS_BY, isHow(site) ? site : USER);
    }

    /** Returns whether the innermost calls name blocks, so that nobody need know further ones. */
    public static boolean isInner(CommandLine line) {
        return how(line).equals(INNER);
    }

    /**
     * Returns what names the blocks of a trace.
     *
     * @param wrappers that the trace shows, as {@link WrapperJudge} tells
     * @param spellings of names of functions
     */
    public static CallChain.SiteRule of(
            CommandLine line, Set<String> wrappers, List<Demangler> spellings) {
        if (isInner(line)) {
            return CallChain.SiteRule.INNER;
        }
        String[] through = line.getOptionValues(THROUGH);
        return new UserSites(
                wrappers,
                Stream.of(through == null ? new String[0] : through)
                        .map(name -> new NamePattern(name, spellings))
                        .toList(),
                how(line).equals(USER) ? null : new NamePattern(how(line), spellings));
    }
}
