package dev.madt.testprogs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what {@code objdump -d} says about a program: the independent witness for code offsets. */
public final class Disassembly {
    private static final Pattern FUNCTION = Pattern.compile("([0-9a-f]{16}) <(.*)>:");
    private static final Pattern INSTRUCTION = Pattern.compile("\\s+([0-9a-f]+):\\s+(.*?)\\s*");

    private final TreeMap<Long, String> instructions = new TreeMap<>();
    private final Map<String, Long> functions = new HashMap<>();

    private Disassembly() {}

    public static Disassembly of(Path program) throws IOException {
        Process objdump = new ProcessBuilder(
                        "objdump", "-d", "--no-show-raw-insn", "-w", program.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Disassembly result = new Disassembly();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(objdump.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                result.add(line);
            }
        }
        if (result.instructions.isEmpty()) {
            throw new IOException(
                    "objdump -d " + program + " printed no instructions; is binutils installed?");
        }
        return result;
    }

    /** From lines in objdump's format, for tests of the rules. */
    public static Disassembly parse(List<String> lines) {
        Disassembly result = new Disassembly();
        lines.forEach(result::add);
        return result;
    }

    private void add(String line) {
        Matcher instruction = INSTRUCTION.matcher(line);
        if (instruction.matches()) {
            instructions.put(Long.parseLong(instruction.group(1), 16), instruction.group(2));
            return;
        }
        Matcher function = FUNCTION.matcher(line);
        if (function.matches()) {
            functions.put(function.group(2), Long.parseLong(function.group(1), 16));
        }
    }

    /** The instruction that starts at the address, or an empty string. */
    public String at(long address) {
        return instructions.getOrDefault(address, "");
    }

    /** The last instruction that starts below the address, or an empty string. */
    public String before(long address) {
        Map.Entry<Long, String> entry = instructions.lowerEntry(address);
        return entry == null ? "" : entry.getValue();
    }

    public boolean hasFunction(String name) {
        return functions.containsKey(name);
    }

    public long function(String name) {
        Long start = functions.get(name);
        if (start == null) {
            throw new IllegalArgumentException("no function " + name + " in the disassembly");
        }
        return start;
    }

    /** Offsets in a function of the instructions whose text matches, in order. */
    public List<Long> offsets(String function, String regex) {
        long start = function(function);
        Pattern wanted = Pattern.compile(regex);
        List<Long> result = new ArrayList<>();
        for (Map.Entry<Long, String> entry : instructions.tailMap(start).entrySet()) {
            if (entry.getKey() != start && functions.containsValue(entry.getKey())) {
                break;
            }
            if (wanted.matcher(entry.getValue()).find()) {
                result.add(entry.getKey() - start);
            }
        }
        return result;
    }

    /**
     * Returns whether the instruction may access memory other than by pushing or popping: an
     * operand in parentheses or a string one.
     */
    public static boolean hasMemoryOperand(String instruction) {
        return !instruction.startsWith("lea")
                && !instruction.startsWith("nop")
                && (instruction.contains("(") || instruction.contains("*0x"));
    }
}
