package dev.madt.testprogs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chromium without a window, driven by the DevTools protocol: real pointer and key events, and
 * notes of all that a page complains of and asks the network for. Nothing waits longer than a
 * minute.
 */
public final class Browser implements AutoCloseable {
    public static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private static final int LIMIT_SECONDS = 600;
    private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)");
    private static final Pattern VALUE = Pattern.compile("\"value\":\"([^\"]*)\"");
    private static final Pattern REQUEST = Pattern.compile("\"request\":\\{\"url\":\"([^\"]*)\"");

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** @param directory for its profile */
    public Browser(Path directory) throws Exception {
        Path profile = directory.resolve("profile");
        ProcessBuilder command = new ProcessBuilder(
                        PROGRAM.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--remote-debugging-port=0",
                        "--window-size=1280,900",
                        "--hide-scrollbars",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("chromium.log").toFile());
        command.environment().put("TMPDIR", directory.toString());
        process = command.start();
        socket = connect(pageAddress(port(profile.resolve("DevToolsActivePort"))));
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "DOM")) {
            call(domain + ".enable", "");
        }
    }

    /** The port that the browser writes into a file of its profile when it listens. */
    private static String port(Path file) throws Exception {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
                System.nanoTime() < end;
                Thread.sleep(20)) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= 2) {
                return lines.get(0);
            }
        }
        throw new IOException(PROGRAM + " does not listen");
    }

    private static URI pageAddress(String port) throws Exception {
        HttpRequest list = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        String targets = HttpClient.newHttpClient()
                .send(list, HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher page = Pattern.compile("ws://127[^\"]*/devtools/page/[^\"]*").matcher(targets);
        if (!page.find()) {
            throw new IOException("no page in " + targets);
        }
        return URI.create(page.group());
    }

    private WebSocket connect(URI page) throws Exception {
        StringBuilder message = new StringBuilder();
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                            WebSocket from, CharSequence data, boolean last) {
                        message.append(data);
                        if (last) {
                            receive(message.toString());
                            message.setLength(0);
                        }
                        from.request(1);
                        return null;
                    }
                })
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private void receive(String message) {
        Matcher answer = ID.matcher(message);
        if (answer.find()) {
            answers.remove(Integer.parseInt(answer.group(1))).complete(message);
        } else if (message.contains("\"method\":\"Network.requestWillBeSent\"")) {
            Matcher request = REQUEST.matcher(message);
            requests.add(request.find() ? request.group(1) : message);
        } else if (message.contains("\"Runtime.exceptionThrown\"")
                || message.contains("\"Log.entryAdded\"")
                || message.contains("\"Runtime.consoleAPICalled\"")) {
            complaints.add(message);
        }
    }

    private String call(String method, String parameters) throws Exception {
        int id = calls.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(
                        "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{" + parameters
                                + "}}",
                        true)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        String message = answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (message.startsWith("{\"id\":" + id + ",\"error\"")) {
            throw new IOException(method + ": " + message);
        }
        return message;
    }

    /** Loads a file; what the page before complained of and asked for is forgotten. */
    public void open(Path file) throws Exception {
        complaints.clear();
        requests.clear();
        call("Page.navigate", "\"url\":\"" + file.toUri() + "\"");
        await("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /** Loads a file in a window of so many pixels. */
    public void open(Path file, int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                "\"width\":" + width + ",\"height\":" + height
                        + ",\"deviceScaleFactor\":1,\"mobile\":false");
        open(file);
    }

    /** Waits until an expression is true. */
    public void await(String expression) throws Exception {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
                System.nanoTime() < end;
                Thread.sleep(20)) {
            if (evaluate(expression).equals("true")) {
                return;
            }
        }
        throw new AssertionError("never true: " + expression);
    }

    /** The value of an expression as text. */
    public String evaluate(String expression) throws Exception {
        String wrapped =
                "btoa(unescape(encodeURIComponent(String(eval(decodeURIComponent(escape(atob('"
                        + base64(expression) + "'))))))))";
        String answer = call("Runtime.evaluate", "\"expression\":\"" + wrapped + "\"");
        Matcher value = VALUE.matcher(answer);
        if (answer.contains("\"exceptionDetails\"") || !value.find()) {
            throw new AssertionError(expression + ": " + answer);
        }
        return new String(Base64.getDecoder().decode(value.group(1)), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param type mouseMoved, mousePressed or mouseReleased; the left button is down from one to
     *     the other
     */
    public void pointer(String type, double x, double y) throws Exception {
        boolean moved = type.equals("mouseMoved");
        call(
                "Input.dispatchMouseEvent",
                "\"type\":\"" + type + "\",\"x\":" + x + ",\"y\":" + y
                        + ",\"clickCount\":1,\"button\":\"" + (moved ? "none" : "left") + "\"");
    }

    /** Turns the wheel at a place; a negative way is away from the user. */
    public void wheel(double x, double y, double way) throws Exception {
        call(
                "Input.dispatchMouseEvent",
                "\"type\":\"mouseWheel\",\"x\":" + x + ",\"y\":" + y + ",\"deltaX\":0,\"deltaY\":"
                        + way);
    }

    public void click(double x, double y) throws Exception {
        pointer("mousePressed", x, y);
        pointer("mouseReleased", x, y);
    }

    /** Presses and releases a key that writes nothing, such as {@code ArrowDown}. */
    public void key(String key) throws Exception {
        call(
                "Input.dispatchKeyEvent",
                "\"type\":\"keyDown\",\"key\":\"" + key + "\",\"code\":\"" + key + "\"");
        call(
                "Input.dispatchKeyEvent",
                "\"type\":\"keyUp\",\"key\":\"" + key + "\",\"code\":\"" + key + "\"");
    }

    /** Presses and releases Enter, which activates what has the focus. */
    public void enter() throws Exception {
        String key = "\"key\":\"Enter\",\"code\":\"Enter\",\"windowsVirtualKeyCode\":13";
        call("Input.dispatchKeyEvent", "\"type\":\"keyDown\",\"text\":\"\\r\"," + key);
        call("Input.dispatchKeyEvent", "\"type\":\"keyUp\"," + key);
    }

    /** Writes text where the focus is. */
    public void type(String text) throws Exception {
        call("Input.insertText", "\"text\":\"" + text + "\"");
    }

    /** Says what the user prefers: {@code light} or {@code dark}. */
    public void prefer(String scheme) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]");
    }

    /** Chooses a file in the only input for files. */
    public void choose(Path file) throws Exception {
        String document = call("DOM.getDocument", "");
        String root = document.replaceFirst(".*?\"nodeId\":(\\d+).*", "$1");
        String input = call(
                "DOM.querySelector", "\"nodeId\":" + root + ",\"selector\":\"input[type=file]\"");
        String node = input.replaceFirst(".*\"nodeId\":(\\d+).*", "$1");
        call("DOM.setFileInputFiles", "\"nodeId\":" + node + ",\"files\":[\"" + file + "\"]");
    }

    /** Returns what the page looks like now, as PNG. */
    byte[] picture() throws Exception {
        String answer = call("Page.captureScreenshot", "\"format\":\"png\"");
        return Base64.getDecoder()
                .decode(answer.replaceFirst("(?s).*\"data\":\"([^\"]*)\".*", "$1"));
    }

    /** Errors, warnings and whatever else was written to the console since the page was opened. */
    public List<String> complaints() {
        return complaints;
    }

    /** Returns what was asked for since the page was opened, by URL. */
    public List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
