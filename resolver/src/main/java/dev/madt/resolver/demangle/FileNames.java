package dev.madt.resolver.demangle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Holds what source files are called: the last parts of their paths, as many as tell them apart.
 */
final class FileNames {
    private final Map<String, Set<String>> paths = new HashMap<>();
    private final Map<String, String> shown = new HashMap<>();

    void add(String path) {
        if (paths.computeIfAbsent(last(path), absent -> new HashSet<>()).add(path)) {
            shown.clear();
        }
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns what the file of a path is called. */
    String of(String path) {
        return shown.computeIfAbsent(path, this::name);
    }

    private String name(String path) {
        Set<String> others = paths.getOrDefault(last(path), Set.of());
        int from = path.lastIndexOf('/') + 1;
        while (from > 0 && isShared(path.substring(from), path, others)) {
            from = path.lastIndexOf('/', from - 2) + 1;
        }
        return path.substring(from);
    }

    private static boolean isShared(String part, String path, Set<String> others) {
        return others.stream()
                .anyMatch(other ->
                        !other.equals(path) && (other.equals(part) || other.endsWith('/' + part)));
    }

    /** Returns whether a file is called so. */
    boolean isShown(String name) {
        return paths.getOrDefault(last(name), Set.of()).stream()
                .anyMatch(path -> of(path).equals(name));
    }
}
