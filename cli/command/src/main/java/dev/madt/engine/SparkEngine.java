package dev.madt.engine;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * Has Spark carry out queries: a program of its own, which is not part of MadT, and is given the
 * jar by which it reads traces (docs/SPARK.md).
 */
public final class SparkEngine {
    private static final String JAR = "madt-spark.jar";
    private static final String MASTER = "master";
    private static final String JARS = "spark-jars";
    /** Packages of Java that Spark looks into, as its own scripts open them. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    private final String master;
    private final Path jars;
    private final Path madt;

    private SparkEngine(String master, Path jars, Path madt) {
        this.master = master;
        this.jars = jars;
        this.madt = madt;
    }

    /** Adds the options that say where Spark is. */
    public static Options addTo(Options options) {
        return options.addOption(Option.builder()
                        .longOpt(MASTER)
                        .hasArg()
                        .argName("URL")
                        .desc("with --engine spark: where it works, for instance spark://host:7077"
                                + " (default: local[*])")
                        .get())
                .addOption(Option.builder()
                        .longOpt(JARS)
                        .hasArg()
                        .argName("DIR")
                        .desc("with --engine spark: the folder with Spark's jars"
                                + " (default: $SPARK_HOME/jars)")
                        .get());
    }

    /** The names of the options. */
    public static List<String> options() {
        return List.of(MASTER, JARS);
    }

    /**
     * Finds Spark.
     *
     * @throws Failure if it is not there
     */
    public static SparkEngine of(CommandLine line, Map<String, String> environment)
            throws Failure, IOException {
        String home = environment.getOrDefault("SPARK_HOME", "");
        String folder = line.getOptionValue(JARS, home.isEmpty() ? "" : home + "/jars");
        if (folder.isEmpty()) {
            throw new Failure(
                    Status.USAGE,
                    "--engine spark needs Spark 4, which is no part of MadT: set SPARK_HOME, or"
                            + " name the folder with its jars by --" + JARS + " DIR.");
        }
        Path jars = Path.of(folder).toAbsolutePath().normalize();
        if (find(jars, "spark-core_") == null) {
            throw new Failure(
                    Status.USAGE,
                    "there is no Spark in " + folder + ": a folder with its jars has one called"
                            + " spark-core_*.jar.");
        }
        return new SparkEngine(line.getOptionValue(MASTER, "local[*]"), jars, madt(jars));
    }

    /** The jar for Spark: among those of Spark, or where the build makes it. */
    private static Path madt(Path jars) throws Failure, IOException {
        Path beside = find(jars, "madt-spark");
        Path built = Path.of(System.getProperty("madt.home", "."), "cli/spark/target", JAR);
        if (beside == null && !Files.isRegularFile(built)) {
            throw new Failure(
                    Status.USAGE,
                    "--engine spark needs " + JAR + ", which packages do not have. Make it of the"
                            + " sources by 'mvn -pl cli/spark -am -DskipTests package', and copy it"
                            + " to " + jars + ".");
        }
        return beside != null ? beside : built.toAbsolutePath().normalize();
    }

    /** Returns a jar whose name begins so; null if there is none. */
    private static Path find(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> ("" + file.getFileName()).startsWith(name))
                    .filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * Carries out queries.
     *
     * @param format of the rows: table, csv or json
     * @param width of a table
     * @param out takes the rows
     * @return the exit status
     */
    public int run(
            String query,
            List<Path> traces,
            String format,
            int width,
            boolean demangle,
            OutputStream out)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(query, traces, format, width, demangle))
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            process.getInputStream().transferTo(out);
            return process.waitFor();
        } finally {
            process.destroy(); // where nobody takes the rows, or the user ends this
        }
    }

    private List<String> command(
            String query, List<Path> traces, String format, int width, boolean demangle) {
        String home = System.getenv("JAVA_HOME");
        List<String> command = new ArrayList<>();
        command.add(home == null || home.isEmpty() ? "java" : home + "/bin/java");
        OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Djdk.reflect.useDirectMethodHandle=false",
                "-cp",
                jars + "/*",
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                master,
                "--class",
                "dev.madt.spark.SqlMain",
                madt.toString(),
                format,
                Integer.toString(width),
                Boolean.toString(demangle),
                query));
        traces.forEach(trace -> command.add(trace.toAbsolutePath().toString()));
        return command;
    }
}
