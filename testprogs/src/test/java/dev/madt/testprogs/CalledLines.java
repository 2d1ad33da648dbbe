package dev.madt.testprogs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says who calls whom in a program, by the calls and jumps that objdump disassembles. */
public final class CalledLines {
    private static final Pattern HEAD = Pattern.compile("([0-9a-f]+) <[^>]+>:");
    private static final Pattern CALL =
            Pattern.compile(" +([0-9a-f]+):\\t(?:call|jmp|j\\w+) +([0-9a-f]+) <.*");

    private final Path folder;
    private final Path program;
    private final TreeMap<Long, List<Long>> calls = new TreeMap<>();

    public CalledLines(Path folder, Path program) throws Exception {
        this.folder = folder;
        this.program = program;
        List<String> lines = MadtRun.command(
                        folder, List.of("objdump", "-d", "--no-show-raw-insn", program.toString()))
                .expect(0)
                .text()
                .lines()
                .toList();
        for (String line : lines) {
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                calls.put(Long.parseLong(head.group(1), 16), new ArrayList<>());
            }
        }
        for (String line : lines) {
            Matcher call = CALL.matcher(line);
            List<Long> of = call.matches() ? calls.get(Long.parseLong(call.group(2), 16)) : null;
            if (of != null) {
                of.add(Long.parseLong(call.group(1), 16));
            }
        }
    }

    /**
     * {@code path:line} of an address and of all that it is inlined into, the innermost first.
     */
    public Map<Long, List<String>> chains(Iterable<Long> codes) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("addr2line", "-a", "-i", "-e", program.toString()));
        codes.forEach(code -> command.add("0x" + Long.toHexString(code)));
        Map<Long, List<String>> chains = new HashMap<>();
        List<String> chain = null;
        for (String line :
                MadtRun.command(folder, command).expect(0).text().lines().toList()) {
            if (line.startsWith("0x")) {
                chain = new ArrayList<>();
                chains.put(Long.decode(line), chain);
            } else {
                chain.add(line.replaceFirst(" \\(discriminator.*", ""));
            }
        }
        return chains;
    }

    /**
     * The lines in the folder from which all calls of the function around an address come; an empty
     * text is among them where one comes from elsewhere.
     */
    public Set<String> callers(long code) throws Exception {
        Set<String> found = new HashSet<>();
        Set<Long> seen = new HashSet<>();
        List<Long> open = new ArrayList<>(List.of(calls.floorKey(code)));
        while (!open.isEmpty()) {
            long function = open.remove(open.size() - 1);
            if (!seen.add(function)) {
                continue;
            }
            List<Long> sites = calls.get(function);
            if (sites.isEmpty()) {
                found.add("");
            }
            Map<Long, List<String>> chains = sites.isEmpty() ? Map.of() : chains(sites);
            for (long site : sites) {
                String own = chains.get(site).stream()
                        .filter(line -> line.startsWith(folder.toString()))
                        .findFirst()
                        .orElse(null);
                if (own == null) {
                    open.add(calls.floorKey(site));
                } else {
                    found.add(own);
                }
            }
        }
        return found;
    }
}
