package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A master of Spark and workers with one core each, all of them processes on this machine. */
public final class SparkCluster implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final String STARTED = "Successfully registered with master";
    /** The first Java on which Spark 4.0 does not start. */
    private static final int TOO_NEW = 24;

    private static final int LIMIT_SECONDS = 120;

    private final Path directory;
    private final Path home;
    private final String url;
    private final List<Process> processes = new ArrayList<>();

    /** Starts them in a folder of a test. */
    public SparkCluster(Path directory, int workers) throws IOException, InterruptedException {
        this.directory = directory;
        this.home = home(directory);
        start("master", "org.apache.spark.deploy.master.Master", "--port", "0");
        url = await("master", URL).group(1);
        for (int i = 1; i <= workers; i++) {
            start(
                    name(i),
                    "org.apache.spark.deploy.worker.Worker",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    work(i).toString(),
                    url);
        }
        for (int i = 1; i <= workers; i++) {
            await(name(i), Pattern.compile(STARTED));
        }
    }

    /** Makes a folder as Spark's packages are: the jars are links to those of the build. */
    public static Path home(Path directory) throws IOException {
        Path list = MadtRun.root().resolve("testprogs/spark/target/jars");
        Path home = directory.resolve("spark");
        Path jars = Files.createDirectories(home.resolve("jars"));
        for (String jar : Files.readString(list).strip().split(":")) {
            Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
        }
        return home;
    }

    /** Returns the home of a Java on which Spark 4.0 runs: this one, or another that is there. */
    public static Path java() throws IOException {
        if (Runtime.version().feature() < TOO_NEW) {
            return Path.of(System.getProperty("java.home"));
        }
        try (Stream<Path> homes = Files.list(Path.of("/usr/lib/jvm"))) {
            return homes.filter(SparkCluster::isOld)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("Spark 4.0 needs Java 17 or 21"));
        }
    }

    private static boolean isOld(Path home) {
        try {
            return Files.readString(home.resolve("release"))
                    .matches("(?s).*JAVA_VERSION=\"(17|21)\\..*");
        } catch (IOException e) {
            return false;
        }
    }

    private static String name(int worker) {
        return "worker" + worker;
    }

    private Path work(int worker) {
        return directory.resolve("work" + worker);
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private void start(String name, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java().resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                home.resolve("jars") + "/*",
                main,
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13"); // which its scripts set
        builder.environment().put("JAVA_HOME", java().toString());
        processes.add(builder.start());
    }

    private Matcher await(String name, Pattern text) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            String log = Files.exists(log(name)) ? Files.readString(log(name)) : "";
            Matcher found = text.matcher(log);
            if (found.find()) {
                return found;
            }
            assertTrue(System.nanoTime() < end, () -> name + " says: " + log);
            Thread.sleep(50);
        }
    }

    /** Returns how it is called. */
    public String url() {
        return url;
    }

    /** Returns how many tasks have begun on a worker, counted from 1. */
    public int begun(int worker) throws IOException {
        int begun = 0;
        try (Stream<Path> files =
                Files.exists(work(worker)) ? Files.walk(work(worker), 3) : Stream.empty()) {
            for (Path file : files.filter(file -> file.endsWith("stderr")).toList()) {
                begun += Files.readString(file).split("Running task ", -1).length - 1;
            }
        }
        return begun;
    }

    /** Ends a worker at once, with the process that carries out its tasks. */
    public void kill(int worker) {
        MadtRun.endAll(processes.get(worker));
    }

    @Override
    public void close() {
        processes.forEach(MadtRun::endAll);
    }
}
