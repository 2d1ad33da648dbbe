package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Reason;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.console.TemporaryFolder;
import dev.madt.graph.FunctionGraph;
import dev.madt.graph.ModuleGraph;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.modules.FunctionNames;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.NativeFiles;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.trace.code.CodeGraph.Function;
import dev.madt.trace.file.TraceEnds;
import dev.madt.view.Selection;
import dev.madt.view.graph.FlowFormat;
import dev.madt.view.graph.FlowGraph;
import dev.madt.view.graph.SiteCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt cfg}: the control-flow graph of a function. */
final class CfgCommand implements Command {
    private static final int FUNCTIONS_NAMED = 5;

    @Override
    public String name() {
        return "cfg";
    }

    @Override
    public String arguments() {
        return "[options] FILE FUNCTION [-o FILE.txt|dot|svg|html]";
    }

    @Override
    public String summary() {
        return "draw the control-flow graph of a function";
    }

    @Override
    public Options options() {
        return TraceReading.addTo(ResultFile.addTo(new Options()))
                .addOption(Option.builder("T")
                        .longOpt("trace")
                        .hasArg()
                        .argName("TRACE")
                        .desc("show how often blocks ran, as far as their accesses tell")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is shown", "trace"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "FILE is a program or a library, stripped or not.",
                "FUNCTION is a name, a pattern that one function has, or an address: 0x1139.",
                "Blocks are numbered by address, from 0.",
                "A block ran ? times where none of its access sites was recorded.");
    }

    @Override
    public Operands operands() {
        return Operands.FILES;
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt cfg ./prog main",
                "madt cfg -o parse.html -T prog.madt ./prog parse",
                "madt cfg -o qsort.svg /lib/x86_64-linux-gnu/libc.so.6 qsort");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<String> named = line.getArgList();
        if (named.size() != 2) {
            throw new Failure(
                    Status.USAGE,
                    "cfg takes a file and a function, not "
                            + named.size()
                            + " arguments. Usage: madt cfg " + arguments());
        }
        FlowFormat format = format(line);
        Path file = Path.of(named.get(0));
        try (ResultFile result = ResultFile.open(line);
                TemporaryFolder folder = new TemporaryFolder()) {
            ModuleGraph module = new ModuleGraph(
                    file,
                    new CodeAnalyser(NativeFiles.find("libmadtcode.so")),
                    new FunctionNames(),
                    folder.path());
            Function function = find(module, named.get(1));
            SiteCounts counts = line.hasOption("trace")
                    ? new SiteCounts(
                            module.symbols(function),
                            module.name(),
                            module.isProgram(),
                            module.build())
                    : null;
            int status = counts == null ? Status.DONE : count(counts, line, messages);
            FlowGraph graph =
                    FunctionGraph.of(module, function.start(), debug(file, messages), counts);
            format.write(graph, result.out());
            result.finish(messages);
            if (counts != null && counts.isEmpty()) {
                messages.say(line.getOptionValue("trace") + " has no access of " + graph.function()
                        + ".");
            }
            return status;
        }
    }

    private static int count(SiteCounts counts, CommandLine line, Messages messages)
            throws Failure, IOException {
        Path trace = Path.of(line.getOptionValue("trace"));
        TraceEnds ends = TraceReadings.ends(trace);
        if (ends != null && counts.isOfOtherBuild(ends.meta())) {
            throw new Failure(
                    Status.FAILED,
                    trace + " was recorded with another build of "
                            + line.getArgList().get(0) + ": its counts are not of this code.");
        }
        TraceReadings readings = new TraceReadings(trace, Selection.ALL, Demangler.NONE);
        return readings.read((reading, types) -> reading.add(counts), line, messages);
    }

    private static FlowFormat format(CommandLine line) throws Failure {
        String name = line.getOptionValue("output", "-");
        FlowFormat format = name.equals("-") ? FlowFormat.TXT : FlowFormat.ofFile(name);
        if (format == null) {
            throw new Failure(
                    Status.USAGE,
                    "'" + name + "' does not say what to draw: end its name in ."
                            + String.join(", .", FlowFormat.words()) + ".");
        }
        return format;
    }

    /** Null: there is none. */
    static DebugInfo debug(Path file, Messages messages) {
        try {
            return DebugInfo.open(file, messages::detail);
        } catch (IOException e) {
            messages.detail(Reason.of(e));
            return null;
        }
    }

    private static Function find(ModuleGraph module, String wanted) throws Failure, IOException {
        List<Function> found = module.find(wanted);
        if (found.size() == 1) {
            return found.get(0);
        }
        if (found.isEmpty()) {
            List<String> known = module.all().functions().stream()
                    .flatMap(function -> module.spellings(function).stream())
                    .toList();
            throw new Failure(
                    Status.FAILED,
                    module.name() + " has no function '" + wanted + "'."
                            + Suggestion.sentence(wanted, known)
                            + " madt functions lists all.");
        }
        throw new Failure(
                Status.FAILED,
                found.size() + " functions of " + module.name() + " have a name like '" + wanted
                        + "'. Name one by its address: " + named(module, found) + ".");
    }

    private static String named(ModuleGraph module, List<Function> found) {
        String first = String.join(
                ", ",
                found.stream()
                        .limit(FUNCTIONS_NAMED)
                        .map(function -> "0x" + Long.toHexString(function.start()) + " ("
                                + module.shown(function) + ")")
                        .toList());
        return found.size() > FUNCTIONS_NAMED ? first + ", …" : first;
    }
}
