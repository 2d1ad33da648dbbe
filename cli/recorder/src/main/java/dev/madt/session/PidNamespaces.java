package dev.madt.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which process a target means by a number. In a PID namespace of its own (pid_namespaces(7))
 * its numbers are not those that this process sees; NSpid in /proc/PID/status has a process's
 * numbers in all namespaces that it can be seen in, this one's first.
 */
public final class PidNamespaces {
    /**
     * A process that takes part, in a namespace of its own.
     *
     * @param own its number as it sees itself
     * @param numbers its numbers, from this process's namespace to its own; empty if it ended
     *     before they could be read
     * @param namespaces the namespaces of these numbers, empty texts where unknown
     */
    private record Member(int own, List<Integer> numbers, List<String> namespaces) {
        private boolean elsewhere() {
            return numbers.size() > 1;
        }

        private boolean called(int number, int depth, String namespace) {
            return numbers.size() > depth
                    && numbers.get(depth) == number
                    && namespaces.get(depth).equals(namespace);
        }
    }

    private static final String HERE = namespace("self");

    private final Map<Integer, Member> members = new HashMap<>();

    /**
     * A process image takes part.
     *
     * @param pid as this process sees it
     * @param own as it sees itself
     * @param parent the process that made it, as this process sees it
     */
    public void add(int pid, int own, int parent) {
        members.remove(pid);
        String namespace = namespace(Integer.toString(pid));
        if (pid == own && namespace.equals(HERE) && !HERE.isEmpty()) {
            return;
        }
        List<Integer> numbers = numbers(pid);
        if (numbers.size() <= 1 && pid == own) {
            return; // it lives in this namespace
        }
        List<String> namespaces = new ArrayList<>();
        Member above = members.get(parent);
        for (int i = 0; i < numbers.size() - 1; i++) {
            namespaces.add(
                    above != null && above.namespaces.size() > i ? above.namespaces.get(i) : "");
        }
        namespaces.add(namespace);
        members.put(pid, new Member(own, numbers, namespaces));
    }

    /**
     * The number here of the process that {@code speaker} calls {@code number}; 0 if it cannot be
     * found any more.
     */
    public int seenHere(int speaker, int number) {
        Member member = members.get(speaker);
        if (member == null || number == 0) {
            return number;
        } else if (number == member.own) {
            return speaker;
        } else if (!member.elsewhere()) {
            return number;
        }
        int depth = member.numbers.size() - 1;
        String namespace = member.namespaces.get(depth);
        for (Map.Entry<Integer, Member> other : members.entrySet()) {
            if (other.getValue().called(number, depth, namespace)) {
                return other.getKey();
            }
        }
        return child(speaker, number, depth);
    }

    /** A child that does not take part yet. */
    private static int child(int parent, int number, int depth) {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc/" + parent + "/task"))) {
            for (Path thread : threads) {
                for (String child :
                        Files.readString(thread.resolve("children")).strip().split(" +")) {
                    List<Integer> numbers =
                            child.isEmpty() ? List.of() : numbers(Integer.parseInt(child));
                    if (numbers.size() > depth && numbers.get(depth) == number) {
                        return Integer.parseInt(child);
                    }
                }
            }
        } catch (IOException e) {
            return 0; // the parent has ended, and its children are others' now
        }
        return 0;
    }

    private static List<Integer> numbers(int pid) {
        List<Integer> numbers = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(
                    Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("NSpid:")) {
                    for (String number :
                            line.substring("NSpid:".length()).strip().split("\\s+")) {
                        numbers.add(Integer.valueOf(number));
                    }
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return numbers;
    }

    private static String namespace(String pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
