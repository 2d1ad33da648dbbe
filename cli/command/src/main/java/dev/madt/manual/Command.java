package dev.madt.manual;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** One verb of the command line. */
public interface Command {
    String name();

    /** Returns what stands behind the name in the usage line. */
    String arguments();

    /** One line for the list of commands. */
    String summary();

    Options options();

    /**
     * Returns how the help groups the options: by what one wants, most used first. What no section
     * names comes last.
     */
    default List<HelpSection> sections() {
        return List.of();
    }

    /** Lines that explain the arguments, for the help. */
    default List<String> notes() {
        return List.of();
    }

    /** The words that an option takes, by its long name, where they are fixed. */
    default Map<String, List<String>> words() {
        return Map.of();
    }

    /**
     * Returns what can be done instead, for an option of other tools that this command lacks; or
     * "".
     */
    default String hint(String option) {
        return "";
    }

    default Operands operands() {
        return Operands.TRACES;
    }

    /** Whole command lines that can be typed, for the help. */
    List<String> examples();

    /** Status of a command line that cannot be understood. */
    default int usageStatus() {
        return Status.USAGE;
    }

    /** The exit statuses and what they mean, for the manual page. */
    default List<String> statuses() {
        return List.of(
                "0    done", "1    the command failed", "2    the command line was not understood");
    }

    /**
     * Returns whether the first argument that is no option ends the options: the rest belongs to
     * another program.
     */
    default boolean stopsAtArgument() {
        return false;
    }

    /** Returns the arguments with the values of options that may have none made explicit. */
    default String[] spelled(String[] arguments) {
        return arguments;
    }

    /** The form of this command that these arguments mean; most commands have one. */
    default Command meant(String[] arguments) {
        return this;
    }

    /** Status of an error that is not the command line's. */
    default int failureStatus() {
        return Status.FAILED;
    }

    /**
     * Does the work.
     *
     * @return exit status
     */
    int run(CommandLine line, Messages messages) throws Failure, IOException, InterruptedException;
}
