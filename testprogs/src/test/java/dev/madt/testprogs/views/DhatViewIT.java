package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.ConvertedTrace;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DHAT's own viewer, in a browser, shows of a converted trace what reports count. */
class DhatViewIT {
    private static final Path VIEWER = Path.of("/usr/libexec/valgrind/dh_view.html");

    /**
     * A program point: its bytes and blocks, bytes read and written, and the function that
     * allocates. The root has no function.
     */
    private static final Pattern POINT = Pattern.compile("Total: +([\\d,]+) bytes [^\\n"
            + "]*? in ([\\d,]+) blocks[^}]*?Reads: +([\\d,]+) bytes[^}]*?Writes:"
            + " +([\\d,]+) bytes[^#]*#\\d+: (?:\\[(root)]|0x[0-9A-F]+: (\\w+))");

    @TempDir
    Path directory;

    /** Says what both sides tell of an allocating function. */
    private record AccessSite(long bytes, long blocks, long accessed) {
        AccessSite plus(AccessSite other) {
            return new AccessSite(
                    bytes + other.bytes, blocks + other.blocks, accessed + other.accessed);
        }
    }

    @Test
    void shouldShowWhatReportsCount() throws Exception {
        assumeTrue(
                Files.exists(VIEWER) && Files.isExecutable(Browser.PROGRAM),
                "no dh_view.html of valgrind, or no chromium");
        ConvertedTrace trace = ConvertedTrace.record(directory, MadtRun.program("heap.O0"));
        Map<String, AccessSite> reported = reported(trace.trace());
        String text = shown(trace.to("dhat"));
        Map<String, AccessSite> shown = new TreeMap<>();
        Matcher points = POINT.matcher(text);
        while (points.find()) {
            String function = points.group(5) == null ? points.group(6) : points.group(5);
            shown.put(
                    function,
                    new AccessSite(
                            number(points.group(1)),
                            number(points.group(2)),
                            number(points.group(3)) + number(points.group(4))));
        }
        assertEquals(Set.of("root", "insert", "push", "append"), shown.keySet(), text);
        shown.forEach((function, site) -> assertEquals(reported.get(function), site, function));
    }

    /** Returns what the viewer's page says of a file. */
    private String shown(Path converted) throws Exception {
        try (Browser browser = new Browser(directory)) {
            browser.open(VIEWER);
            browser.choose(converted);
            browser.await("document.body.innerText.includes('PP significance threshold')");
            assertEquals(List.of(), browser.complaints());
            assertTrue(
                    browser.requests().stream()
                            .allMatch(url ->
                                    url.startsWith("file://" + VIEWER.getParent() + "/dh_view.")),
                    browser.requests().toString());
            return browser.evaluate("document.body.innerText");
        }
    }

    /** By function, and of all as {@code root}. */
    private Map<String, AccessSite> reported(Path trace) throws Exception {
        String csv = MadtRun.madt(
                        directory, "report", "--by", "site", "--format", "csv", trace.toString())
                .expect(0)
                .text();
        Map<String, AccessSite> sites = new TreeMap<>();
        for (String row : csv.lines().skip(1).filter(row -> row.contains(",<")).toList()) {
            String[] cells = row.split(",");
            AccessSite site = new AccessSite(
                    number(cells[9]), number(cells[8]), number(cells[3]) + number(cells[5]));
            sites.merge(cells[14].replaceFirst("^<\\w+@(\\w+).*", "$1"), site, AccessSite::plus);
            sites.merge("root", site, AccessSite::plus);
        }
        return sites;
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }
}
