package dev.madt.sql;

import dev.madt.console.Failure;
import dev.madt.duckdb.DuckFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * A prompt for queries: lines are edited, the last ones come back, and the tab key completes tables
 * and columns. A statement ends with a semicolon; Ctrl-C ends one that runs.
 */
public final class SqlPrompt {
    private static final String FIRST = "madt> ";
    /** The widget of Ctrl-D. */
    private static final String END = "end-or-delete";

    /** The widget of keys that do nothing. */
    private static final String PASS_OVER = "pass-over";

    private static final String NEXT = "  ... ";
    private static final String HELP =
            """
            A statement ends with a semicolon, and may go over several lines.
              .tables          the tables
              .schema [TABLE]  their columns, or those of one table
              .help            this help
              .quit            end, as Ctrl-D does
            Ctrl-C ends a query that runs. docs/SQL.md says what the tables hold.
            """;
    private static final List<String> COMMANDS = List.of(".tables", ".schema", ".help", ".quit");
    private static final Pattern BARE = Pattern.compile("\\s*(?i:quit|exit|help|\\\\q)\\s*;?\\s*");
    private static final List<String> WORDS = List.of(
            "select",
            "from",
            "where",
            "group by all",
            "order by",
            "limit",
            "having",
            "count(*)",
            "sum(",
            "distinct",
            "filter (where",
            "with",
            "join",
            "desc",
            "explain analyze",
            "lag(",
            "over (partition by");

    private final SqlSession session;
    private final SqlResult result;
    private final Consumer<Exception> faults;
    private final Map<String, List<String>> tables;

    /** @param faults is told why a statement cannot be carried out */
    public SqlPrompt(SqlSession session, SqlResult result, Consumer<Exception> faults)
            throws DuckFault {
        this.session = session;
        this.result = result;
        this.faults = faults;
        this.tables = session.columns();
    }

    /**
     * Talks with the user until they end it.
     *
     * @param history the file of the last lines; it and its folder are made
     */
    public void converse(Path history) throws IOException {
        Files.createDirectories(history.toAbsolutePath().getParent());
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).provider("exec").build()) {
            DefaultParser parser = new WholeStatements();
            parser.setEofOnUnclosedQuote(false);
            parser.setEscapeChars(null);
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("madt")
                    .parser(parser)
                    .completer((line, words, candidates) -> complete(words, candidates))
                    .variable(LineReader.HISTORY_FILE, history)
                    .variable(LineReader.SECONDARY_PROMPT_PATTERN, NEXT)
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .option(LineReader.Option.HISTORY_BEEP, false)
                    .build();
            bind(reader);
            terminal.handle(Terminal.Signal.INT, signal -> session.interrupt());
            while (answer(reader, terminal.writer())) {
                terminal.flush();
            }
        }
    }

    /**
     * Binds Ctrl-D, so that it ends on a line that continues a statement as on an empty one. Where
     * nothing shows what arrows do, they do nothing.
     */
    private static void bind(LineReader reader) {
        reader.getWidgets().put(END, () -> {
            if (reader.getBuffer().toString().endsWith("\n")) {
                throw new EndOfFileException();
            }
            reader.callWidget(LineReader.DELETE_CHAR_OR_LIST);
            return true;
        });
        reader.getWidgets().put(PASS_OVER, () -> true);
        KeyMap<Binding> keys = reader.getKeyMaps().get(LineReader.MAIN);
        keys.bind(new Reference(END), KeyMap.ctrl('D'));
        if (reader.getTerminal().getType().startsWith(Terminal.TYPE_DUMB)) {
            for (String arrow : "ABCD".split("")) {
                keys.bind(new Reference(PASS_OVER), "\033[" + arrow, "\033O" + arrow);
            }
        }
    }

    /** Reads one statement or command and does it; false at the end. */
    private boolean answer(LineReader reader, PrintWriter to) throws IOException {
        try {
            String text = reader.readLine(FIRST);
            if (isCommand(text)) {
                return command(text.strip().split("\\s+"), to);
            }
            for (String statement : SqlText.statements(text)) {
                carryOut(statement);
            }
        } catch (UserInterruptException e) {
            Thread.interrupted(); // which the reader has made of the signal
            return true; // what has been typed is forgotten
        } catch (EndOfFileException e) {
            return false;
        }
        return true;
    }

    /** Some are such words as users of other prompts type, and are no statements. */
    private static boolean isCommand(String text) {
        return text.strip().startsWith(".") || BARE.matcher(text).matches();
    }

    /** Takes lines until a statement is complete, so that it comes back as a whole. */
    private static final class WholeStatements extends DefaultParser {
        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE
                    && !isCommand(line)
                    && !SqlText.isComplete(line)) {
                throw new EOFError(-1, cursor, "the statement goes on");
            }
            return super.parse(line, cursor, context);
        }
    }

    private void carryOut(String statement) throws IOException {
        try {
            result.write(session, statement);
        } catch (DuckFault | Failure e) {
            faults.accept(e);
        } finally {
            result.show();
        }
    }

    private boolean command(String[] words, PrintWriter to) {
        String word = words[0].replaceAll("^[.\\\\]?|;$", "").toLowerCase(Locale.ROOT);
        switch (word) {
            case "quit", "exit", "q" -> {
                return false;
            }
            case "tables" -> tables.keySet().forEach(to::println);
            case "schema" ->
                tables.forEach((table, columns) -> {
                    if (words.length == 1 || words[1].equals(table)) {
                        to.println(table + " (" + String.join(", ", columns) + ")");
                    }
                });
            case "help" -> to.print(HELP);
            default -> to.println(words[0] + " is none of " + String.join(", ", COMMANDS));
        }
        return true;
    }

    private void complete(ParsedLine words, List<Candidate> candidates) {
        offered(words.line(), words.word())
                .forEach(word -> candidates.add(
                        new Candidate(word, word, null, null, null, null, !word.endsWith("("))));
    }

    /** Words that may stand where one has been begun. */
    TreeSet<String> offered(String line, String begun) {
        TreeSet<String> words = new TreeSet<>();
        if (line.startsWith(".")) {
            words.addAll(begun.startsWith(".") ? COMMANDS : tables.keySet());
        } else {
            words.addAll(WORDS);
            words.addAll(tables.keySet());
            tables.values()
                    .forEach(columns -> columns.forEach(
                            column -> words.add(quoted(column.substring(0, column.indexOf(' '))))));
        }
        words.removeIf(word -> !word.startsWith(begun.toLowerCase(Locale.ROOT)));
        return words;
    }

    /** Names that are words of SQL stand in quotes. */
    private static String quoted(String column) {
        return column.equals("offset") || column.equals("window") ? '"' + column + '"' : column;
    }
}
