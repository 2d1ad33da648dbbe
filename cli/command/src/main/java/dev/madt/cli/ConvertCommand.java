package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.Reason;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Analysis;
import dev.madt.view.Selection;
import dev.madt.view.cache.CacheGeometry;
import dev.madt.view.cache.CacheHierarchy;
import dev.madt.view.calls.CallRows;
import dev.madt.view.convert.ConversionOptions;
import dev.madt.view.convert.EventList;
import dev.madt.view.convert.TargetFormat;
import dev.madt.view.parquet.ParquetFolder;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt convert}: a trace in the formats of other tools. */
final class ConvertCommand implements Command {
    private static final String PARQUET = "parquet";

    @Override
    public String name() {
        return "convert";
    }

    @Override
    public String arguments() {
        return "--to FORMAT [options] [TRACE...]";
    }

    @Override
    public String summary() {
        return "convert a trace for callgrind_annotate and other tools";
    }

    @Override
    public Options options() {
        return SelectionOptions.addTo(
                        TraceReading.addTo(ResultFile.addTo(LineDetailOptions.addNames(
                                new Options(), " (default of parquet)", " (default of others)"))))
                .addOption(Option.builder()
                        .longOpt("to")
                        .hasArg()
                        .argName("FORMAT")
                        .desc("one of " + String.join(", ", formats()))
                        .get())
                .addOption(Option.builder()
                        .longOpt("no-instructions")
                        .desc("leave out the lines of instructions (lackey, dinero)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("expand-blocks")
                        .desc("turn bulk transfers, which are left out otherwise, into"
                                + " accesses of 8 bytes (lackey, dinero, cachegrind)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("sites")
                        .desc("take allocation sites and variables as objects, instead of"
                                + " modules (callgrind)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("convert all processes of the run, from its first trace"
                                + " (callgrind, csv, jsonl, parquet)")
                        .get())
                .addOption(cache("I1"))
                .addOption(cache("D1"))
                .addOption(cache("LL"));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is written",
                        "to",
                        "all",
                        "sites",
                        "no-instructions",
                        "expand-blocks",
                        "demangle",
                        "no-demangle"),
                SelectionOptions.section("Which accesses"),
                HelpSection.of("Caches", "I1", "D1", "LL"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("to", formats(), "kind", LineKinds.words());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt convert --to callgrind -o callgrind.out prog.madt",
                "madt convert --to csv prog.madt",
                "madt convert --to parquet -o tables/ prog.madt",
                "madt convert --to callgrind --all -o callgrind.out make.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, messages);
        String word = Choice.of(line, "to", formats(), null);
        if (word == null) {
            throw new Failure(
                    Status.USAGE,
                    "--to is missing: it is one of " + String.join(", ", formats()) + ".");
        }
        if (word.equals(PARQUET)) {
            return writeParquet(files, line, messages);
        }
        TargetFormat format = TargetFormat.of(word);
        if (files.size() > 1 && !format.joinsProcesses()) {
            throw new Failure(
                    Status.USAGE,
                    "--to " + word + " takes one trace, not " + files.size()
                            + ". Formats that take several: "
                            + String.join(", ", TargetFormat.joining()) + ".");
        }
        Selection selection = SelectionOptions.of(line);
        ConversionOptions options = new ConversionOptions(
                !line.hasOption("no-instructions"),
                selection.hasAny("L") && selection.hasAny("S"),
                line.hasOption("expand-blocks"),
                line.hasOption("sites"),
                caches(line));
        Demangler names = TraceReadings.names(line, false, files, selection);
        try (ResultFile result = ResultFile.open(line)) {
            Function<MemberTypes, Analysis> writers =
                    format.writers(result.out(), options, files.size());
            TraceReadings readings = new TraceReadings(files, selection, names);
            int status = readings.read(
                    (reading, types) -> {
                        Analysis writer = writers.apply(types);
                        reading.add(writer);
                        if (writer instanceof EventList list) {
                            reading.addBehind(new CallRows(list, selection, reading::count, names));
                        }
                    },
                    line,
                    messages);
            if (format.isOfAccesses() && readings.haveOnlyCalls()) {
                return CallReport.tellOnlyCalls(this, files.get(0), line, messages);
            }
            result.finish(messages);
            readings.tellSelected(messages);
            if (format.isOfBlocks()) {
                readings.tellLack(messages);
            }
            return status;
        }
    }

    private static List<String> formats() {
        List<String> words = new ArrayList<>(TargetFormat.words());
        words.add(PARQUET);
        return words;
    }

    /** Writes files into the folder that {@code -o} names. */
    private static int writeParquet(List<Path> files, CommandLine line, Messages messages)
            throws Failure, IOException {
        String output = line.getOptionValue("output");
        if (output == null || output.equals("-")) {
            throw new Failure(
                    Status.USAGE, "--to parquet writes several files: -o names their folder.");
        }
        Path folder = Path.of(output);
        boolean made = Files.notExists(folder);
        Files.createDirectories(folder);
        int status = Status.FAILED;
        try {
            status = writeParquet(folder, files, line, messages);
            return status;
        } finally {
            if (made && status == Status.FAILED) {
                deleteEmpty(folder);
            }
        }
    }

    private static void deleteEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(folder);
    }

    private static int writeParquet(
            Path folder, List<Path> files, CommandLine line, Messages messages)
            throws Failure, IOException {
        Selection selection = SelectionOptions.of(line);
        Demangler names = TraceReadings.names(line, true, files, selection); // as in SQL
        ParquetFolder parquet = new ParquetFolder(folder);
        for (Path old : parquet.old(files)) {
            if (!line.hasOption("force")) {
                throw new Failure(Status.FAILED, old + " exists. -f overwrites it.");
            }
            Files.delete(old);
        }
        TraceReadings readings = new TraceReadings(files, selection, names);
        try {
            int status = readings.read(
                    (reading, types) -> reading.add(parquet.next(types)), line, messages);
            readings.tellSelected(messages);
            messages.say("wrote " + Numbers.counted(parquet.rows(), "row", "rows") + " to "
                    + Numbers.counted(parquet.files(), "file", "files") + " in " + folder + ".");
            return status;
        } catch (UncheckedIOException e) {
            throw new IOException(
                    "cannot write to " + folder + ": " + Reason.root(e.getCause()), e.getCause());
        }
    }

    private static Option cache(String name) {
        return Option.builder()
                .longOpt(name)
                .hasArg()
                .argName("SIZE,WAYS,LINE")
                .desc("simulate a cache of this form (cachegrind; default: this machine's)")
                .get();
    }

    private static CacheHierarchy caches(CommandLine line) throws Failure {
        CacheHierarchy own = CacheHierarchy.ofThisMachine();
        return new CacheHierarchy(
                geometry(line, "I1", own.instructions()),
                geometry(line, "D1", own.data()),
                geometry(line, "LL", own.last()));
    }

    static CacheGeometry geometry(CommandLine line, String option, CacheGeometry own)
            throws Failure {
        String text = line.getOptionValue(option);
        try {
            return text == null ? own : CacheGeometry.of(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Status.USAGE,
                    "--" + option + " is SIZE,WAYS,LINE, for instance 32K,8,64, not '" + text
                            + "': " + e.getMessage() + ".");
        }
    }
}
