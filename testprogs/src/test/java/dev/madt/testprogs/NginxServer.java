package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * nginx under {@code ./madt run}: a master, which is root, and two workers of another user, each of
 * which has its part of the connections. It serves one file, {@link #page}, and compresses it for
 * those who ask for that.
 */
public final class NginxServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
    private static final int LIMIT_SECONDS = 300;

    /** The server's own folder, its user, its port. */
    private static final String SETTINGS =
            """
            user %2$s;
            worker_processes 2;
            daemon off;
            pid %1$s/pid;
            error_log %1$s/error.log;
            events {}
            http {
                access_log %1$s/access.log;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                keepalive_requests 5;
                gzip on;
                gzip_types *;
                server { listen 127.0.0.1:%3$d reuseport; root %1$s; }
            }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path directory;
    private final int port;
    private final Process process;

    /**
     * Starts the server and waits until it answers.
     *
     * @param directory a folder for this server alone, whose parents all may enter
     * @param options what {@code ./madt run} has besides the program
     */
    public NginxServer(Path directory, String user, List<String> options) throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "only root can have workers of another user");
        assumeTrue(Files.isExecutable(PROGRAM), "no nginx");
        this.directory = directory;
        port = freePort();
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 1000; line++) {
            text.append("line ").append(line * 7919 % 1000).append('\n');
        }
        Files.writeString(page(), text);
        Path settings = directory.resolve("nginx.conf");
        Files.writeString(settings, SETTINGS.formatted(directory, user, port));
        List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString(), "run"));
        command.addAll(options);
        command.addAll(List.of("--", PROGRAM.toString(), "-p", directory.toString()));
        command.addAll(List.of("-e", directory.resolve("error.log").toString()));
        command.addAll(List.of("-c", settings.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("output").toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process = builder.start();
        awaitAnswer();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            try {
                get(false);
                return;
            } catch (ConnectException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    close();
                    throw new IOException("no answer: " + errors(), e);
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    public Path page() {
        return directory.resolve("page.txt");
    }

    public String address() {
        return "http://127.0.0.1:" + port + "/page.txt";
    }

    /** Returns what the server answers, decompressed if it was to be compressed. */
    public byte[] get(boolean compressed) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address()));
        if (compressed) {
            request.header("Accept-Encoding", "gzip");
        }
        HttpResponse<byte[]> response = client.send(
                request.version(HttpClient.Version.HTTP_1_1).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (!compressed) {
            return response.body();
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return in.readAllBytes();
        }
    }

    /** Has the server answer all, and end; returns what MadT said. */
    public String stop() throws Exception {
        String master = Files.readString(directory.resolve("pid")).strip();
        MadtRun.command(directory, List.of("kill", "-QUIT", master)).expect(0);
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "the server does not end");
        if (process.exitValue() != 0) {
            throw new AssertionError("status " + process.exitValue() + ": " + errors());
        }
        return errors();
    }

    private String errors() throws IOException {
        return Files.readString(directory.resolve("errors"));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
