package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.FileState;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.TemporaryFolder;
import dev.madt.console.Terminal;
import dev.madt.duckdb.DuckFault;
import dev.madt.duckdb.DuckLibrary;
import dev.madt.engine.SparkEngine;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.sql.QueryFault;
import dev.madt.sql.SqlChart;
import dev.madt.sql.SqlFormat;
import dev.madt.sql.SqlPrompt;
import dev.madt.sql.SqlResult;
import dev.madt.sql.SqlSession;
import dev.madt.sql.SqlText;
import dev.madt.sql.TraceSource;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.file.TraceEnds;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.calls.CallRows;
import dev.madt.view.chains.SiteOptions;
import dev.madt.view.convert.EventList;
import dev.madt.view.locks.LockFollower;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.toolkit.TextTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code madt sql}: queries over traces. */
public final class SqlCommand implements Command {
    private static final String EXTENSION = ".madt";
    /** Arguments of tables, and the options that they are; names that SQL has are other ones. */
    private static final Map<String, String> SELECTORS = Map.ofEntries(
            Map.entry("symbol", "symbol"),
            Map.entry("region", "region"),
            Map.entry("site", "site"),
            Map.entry("type", "type"),
            Map.entry("function", "function"),
            Map.entry("file", "file"),
            Map.entry("line", "line"),
            Map.entry("kind", "kind"),
            Map.entry("thread", "thread"),
            Map.entry("first", "from"),
            Map.entry("last", "until"),
            Map.entry("in_window", "window"));

    /** Tables of what accesses do. */
    private static final Set<String> OF_ACCESSES = Set.of("accesses", "transfers", "threads");

    private static final String QUERY_FILE = "query";
    private static final String ENGINE = "engine";
    /** Options that have no meaning for another engine. */
    private static final List<String> OF_DUCKDB = List.of("memory", "strict");

    private static final List<String> ENGINES = List.of("duckdb", "spark");
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,9})([KMGT])(?:iB)?");

    @Override
    public String name() {
        return "sql";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE...] [\"QUERY\"]";
    }

    @Override
    public String summary() {
        return "ask traces any question in SQL";
    }

    @Override
    public Options options() {
        Options names = LineDetailOptions.addNames(new Options(), true);
        return SparkEngine.addTo(TraceReading.addTo(Terminal.addTo(ResultFile.addTo(names))))
                .addOption(Option.builder()
                        .longOpt(ENGINE)
                        .hasArg()
                        .argName("NAME")
                        .desc("what carries out the queries: duckdb, or spark, whose SQL they are"
                                + " then in (default: duckdb)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("format")
                        .hasArg()
                        .argName("FORMAT")
                        .desc("one of " + String.join(", ", SqlFormat.words())
                                + " (default: table)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("chart")
                        .hasArg()
                        .argName("KIND")
                        .desc("draw two or three columns, as " + String.join(", ", SqlChart.words())
                                + ": a page if -o names an .html file, else svg")
                        .get())
                .addOption(Option.builder()
                        .longOpt(QUERY_FILE)
                        .hasArg()
                        .argName("FILE")
                        .desc("take the queries from FILE (-: standard input)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("memory")
                        .hasArg()
                        .argName("SIZE")
                        .desc("let queries use this much memory, for instance 2G; the rest goes to"
                                + " temporary files (default: 80 % of the machine's)")
                        .get())
                .addOption(TraceArgument.all("ask all processes of the run, from its first trace"));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is asked", QUERY_FILE, "all", "demangle", "no-demangle"),
                HelpSection.of("How the answer looks", "format", "chart", "color"),
                HelpSection.of("Where it goes", "output", "force"),
                HelpSection.of("Memory", "memory"),
                HelpSection.of("A cluster", engineOptions()));
    }

    private static String[] engineOptions() {
        return Stream.concat(Stream.of(ENGINE), SparkEngine.options().stream())
                .toArray(String[]::new);
    }

    @Override
    public List<String> notes() {
        return List.of(
                "The last argument is the query, in DuckDB's SQL. Without a TRACE, it is",
                "about the newest trace in the current directory; without a query, there is",
                "a prompt. docs/SQL.md lists the tables and their columns.");
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "format",
                SqlFormat.words(),
                "chart",
                SqlChart.words(),
                "color",
                Terminal.WHEN,
                ENGINE,
                ENGINES);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt sql prog.madt \"select function, count(*) from accesses group by all\"",
                "madt sql --format csv -o hot.csv prog.madt --query hot.sql",
                "madt sql --chart bar -o hot.html prog.madt --query hot.sql");
    }

    @Override
    public List<String> statuses() {
        return List.of(
                "0    done",
                "1    the query could not be carried out, or a trace is damaged",
                "2    the command line or the query was not understood",
                "3    with --strict: a trace is incomplete");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        boolean coloured = ResultFile.coloured(line);
        SqlFormat format = SqlFormat.of(Choice.of(line, "format", SqlFormat.words(), "table"));
        SqlChart chart = chart(line);
        boolean spark = Choice.of(line, ENGINE, ENGINES, "duckdb").equals("spark");
        List<String> named = new ArrayList<>(line.getArgList());
        String query = query(line, named);
        List<Path> files = TraceArgument.several(this, named, line, messages);
        if (spark) {
            return spark(line, query, files, format, messages);
        }
        checkEngine(line);
        checkLibrary();
        for (Path trace : files) { // a query need not read it
            trace.getFileSystem().provider().checkAccess(trace, AccessMode.READ);
        }
        try (ResultFile file = ResultFile.open(line)) {
            SqlResult result = new SqlResult(file, format, coloured, width(line), chart);
            Traces traces = new Traces(files, line, messages);
            carryOut(query, traces, memory(line), result, messages);
            file.finish(messages);
            return traces.exitStatus();
        }
    }

    /** Characters in a line of a table: as many as it takes where no terminal shows it. */
    private static int width(CommandLine line) {
        return line.hasOption("output") || !Terminal.standardOutput()
                ? TextTable.WIDE
                : Terminal.width();
    }

    /** Has another program carry out the queries, which says itself what is wrong. */
    private static int spark(
            CommandLine line, String query, List<Path> files, SqlFormat format, Messages messages)
            throws Failure, IOException, InterruptedException {
        if (query == null || format == SqlFormat.PARQUET || line.hasOption("chart")) {
            throw new Failure(
                    Status.USAGE,
                    "--engine spark has no prompt, no --chart and no --format parquet.");
        }
        for (String option : OF_DUCKDB) {
            if (line.hasOption(option)) {
                throw new Failure(Status.USAGE, "--engine spark goes without --" + option + ".");
            }
        }
        SparkEngine engine = SparkEngine.of(line, System.getenv());
        try (ResultFile file = ResultFile.open(line)) {
            int status = engine.run(
                    query,
                    files,
                    format.name().toLowerCase(Locale.ROOT),
                    width(line),
                    !line.hasOption("no-demangle"),
                    file.out());
            if (status == Status.DONE) {
                file.finish(messages);
            }
            return status;
        }
    }

    private static void checkEngine(CommandLine line) throws Failure {
        for (String option : SparkEngine.options()) {
            if (line.hasOption(option)) {
                throw new Failure(Status.USAGE, "--" + option + " goes with --engine spark.");
            }
        }
    }

    /**
     * The text of the queries, which is taken out of the arguments if it is one of them; null where
     * the user types them.
     */
    private static String query(CommandLine line, List<String> named) throws Failure, IOException {
        String file = line.getOptionValue(QUERY_FILE);
        if (file != null) {
            return file.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        }
        if (named.isEmpty() || isTrace(named.get(named.size() - 1))) {
            return Terminal.standardInput()
                    ? null
                    : new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        }
        return named.remove(named.size() - 1);
    }

    /** Null if there is to be none. */
    private static SqlChart chart(CommandLine line) throws Failure {
        String word = Choice.of(line, "chart", SqlChart.words(), null);
        if (word != null && line.hasOption("format")) {
            throw new Failure(
                    Status.USAGE,
                    "--chart goes without --format: a page if -o names an .html file, else svg.");
        }
        return word == null
                ? null
                : SqlChart.of(word, line.getOptionValue("output", "").endsWith(".html"));
    }

    private static boolean isTrace(String word) {
        return word.endsWith(EXTENSION) || Files.exists(Path.of(word));
    }

    private static void checkLibrary() throws Failure {
        if (!DuckLibrary.isThere()) {
            throw new Failure(
                    Status.FAILED,
                    "madt sql needs DuckDB's library, and " + DuckLibrary.file()
                            + " is not there. It comes with the package madt-sql.");
        }
    }

    /** A size as DuckDB writes it; null: what it takes by itself. */
    private static String memory(CommandLine line) throws Failure {
        String text = line.getOptionValue("memory");
        if (text == null) {
            return null;
        }
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new Failure(
                    Status.USAGE,
                    "--memory is a size, for instance 512M or 2G, not '" + text + "'.");
        }
        return size.group(1) + size.group(2) + "iB";
    }

    /** @param text of the queries, or null for a prompt */
    private static void carryOut(
            String text, Traces traces, String memory, SqlResult result, Messages messages)
            throws Failure, IOException {
        try (TemporaryFolder folder = new TemporaryFolder();
                SqlSession session = new SqlSession(traces, memory, folder.path(), messages::say)) {
            if (text == null) {
                messages.say("a statement ends with a semicolon; .help says more.");
                new SqlPrompt(session, result, e -> messages.error(said(e))).converse(history());
                return;
            }
            for (String statement : SqlText.statements(text)) {
                result.write(session, statement);
                result.flush(); // a fault of a later one does not take it away
            }
        } catch (DuckFault e) {
            throw QueryFault.of(e);
        }
    }

    private static String said(Exception fault) {
        return fault instanceof DuckFault said
                ? QueryFault.of(said).getMessage()
                : fault.getMessage();
    }

    /** The last lines of the prompt, beside what MadT keeps of modules. */
    private static Path history() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = cache == null || cache.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cache);
        return folder.resolve("madt").resolve("sql-history");
    }

    /**
     * Returns some traces for tables, read as this command reads them.
     *
     * @param options of this command
     * @param messages hear what is to be said of the traces
     * @throws Failure if an option is not known
     */
    public static TraceSource traces(List<Path> files, List<String> options, Messages messages)
            throws Failure {
        return new Traces(
                files, Main.parse(new SqlCommand(), options.toArray(String[]::new)), messages);
    }

    /** The traces, read as other commands read them. */
    private static final class Traces implements TraceSource {
        private final List<Path> files;
        private final CommandLine line;
        private final Messages messages;
        /** Traces about which the user has heard what is to be said of them. */
        private final Set<Path> heard = ConcurrentHashMap.newKeySet();
        /** Holds what traces showed of allocators, which each query would ask for. */
        private final Map<Path, Wrappers> wrappers = new ConcurrentHashMap<>();

        /** Tells whether it was said of calls, or of accesses, that there are none. */
        private final Set<Boolean> lacked = ConcurrentHashMap.newKeySet();

        private int status = Status.DONE;

        /** Holds what a trace showed when its file was in that state. */
        private record Wrappers(FileState state, Set<String> names) {}

        private Traces(List<Path> files, CommandLine line, Messages messages) {
            this.files = files;
            this.line = line;
            this.messages = messages;
        }

        @Override
        public List<Path> files() {
            return files;
        }

        @Override
        public List<String> selectors() {
            return SELECTORS.keySet().stream().sorted().toList();
        }

        @Override
        public Selection selection(Map<String, String> arguments) {
            List<String> options = new ArrayList<>();
            arguments.forEach(
                    (name, value) -> options.add("--" + SELECTORS.get(name) + "=" + value));
            try {
                Selection selection = SelectionOptions.of(new DefaultParser()
                        .parse(
                                SelectionOptions.addTo(new Options()),
                                options.toArray(String[]::new)));
                if (selection.selectsNames()) {
                    selection.know(TraceReadings.names(files));
                }
                return selection;
            } catch (Failure | ParseException e) {
                throw new IllegalArgumentException(ofArguments(e.getMessage()), e);
            }
        }

        /** Returns a sentence about options as one about the arguments that were given. */
        private static String ofArguments(String sentence) {
            String text = sentence;
            for (Map.Entry<String, String> selector : SELECTORS.entrySet()) {
                text = text.replaceAll("--" + selector.getValue() + "\\b", selector.getKey());
            }
            return text;
        }

        @Override
        public Map<String, String> meta(Path file) throws IOException {
            TraceEnds ends = TraceReadings.ends(file);
            return ends == null ? Map.of() : ends.meta();
        }

        @Override
        public void tellEmpty(String table) throws IOException {
            boolean ofCalls = table.equals("calls");
            if (!ofCalls && !OF_ACCESSES.contains(table) || !lacked.add(ofCalls)) {
                return;
            }
            for (Path file : files) {
                if (!lacks(TraceReadings.ends(file), ofCalls)) {
                    return;
                }
            }
            messages.say(files.get(0)
                    + (ofCalls
                            ? " has no calls. Record them: madt trace -- PROG"
                            : " has no accesses. Record them: madt run -- PROG"));
        }

        /** Returns whether calls, or accesses, were not recorded; never where that is unknown. */
        private static boolean lacks(TraceEnds ends, boolean calls) {
            if (ends == null) {
                return false;
            }
            boolean ofCalls = ends.meta().containsKey("calls");
            return calls
                    ? !ofCalls
                    : ends.index().accesses() == 0
                            && (ofCalls || ends.meta().containsKey(LockFollower.KEY));
        }

        @Override
        public void read(
                Path file,
                Selection selection,
                boolean named,
                boolean calls,
                Function<MemberTypes, Analysis> analysis,
                BooleanSupplier enough)
                throws IOException {
            try {
                MemberTypes types = new MemberTypes();
                Demangler names = TraceReadings.names(line, true, List.of(file), Selection.ALL);
                Analysis told = analysis.apply(types);
                Reading reading = new Reading(selection)
                        .charging(OwnSource.EXACT)
                        .naming(
                                named || selection.selectsBlocks()
                                        ? sites(file)
                                        : CallChain.SiteRule.INNER)
                        .add(told);
                if (told instanceof EventList list) {
                    reading.addBehind(new CallRows(list, selection, reading::count, names));
                }
                int end = TraceReading.read(
                        file,
                        reading.consumer(names, types),
                        calls || selection.window() > 0 ? 0 : selection.from(),
                        calls ? site -> true : TraceReadings.wanted(file, reading, names),
                        () -> enough.getAsBoolean() || reading.isOver(),
                        line,
                        heard.add(file) ? messages : Messages.silent());
                status(end);
            } catch (Failure e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }

        /** Says by which call blocks are named; the trace's first part is read for that. */
        private CallChain.SiteRule sites(Path file) throws IOException {
            return SiteOptions.of(line, wrappers(file), LineDetailOptions.spellings());
        }

        private Set<String> wrappers(Path file) throws IOException {
            Wrappers known = wrappers.get(file);
            FileState state = FileState.of(file);
            if (known == null || !known.state().equals(state)) {
                known = new Wrappers(state, TraceReadings.wrappers(file));
                wrappers.put(file, known);
            }
            return known.names();
        }

        private synchronized void status(int end) {
            status = Math.max(status, end);
        }

        /** The exit status, once all queries have been carried out. */
        private synchronized int exitStatus() {
            return status;
        }
    }
}
