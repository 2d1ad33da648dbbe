package dev.madt.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The environment of the target: the caller's entries in their order, with what libmadt.so needs (and takes out again). */
final class Environment {
    private static final String PRELOAD = "LD_PRELOAD=";

    private Environment() {}

    static List<byte[]> forTarget(List<byte[]> caller, Path session) {
        String shim = session.resolve("libmadt.so").toString();
        List<byte[]> entries = new ArrayList<>(caller.size() + 2);
        boolean preloaded = false;
        for (byte[] entry : caller) {
            if (!preloaded && startsWith(entry, PRELOAD)) {
                entries.add(withShim(entry, shim));
                preloaded = true;
            } else {
                entries.add(entry);
            }
        }
        entries.add(bytes("MADT_SESSION=" + session));
        if (!preloaded) {
            entries.add(bytes(PRELOAD + shim));
        }
        return entries;
    }

    /** The value of a variable, or null. */
    static String value(List<byte[]> entries, String name) {
        for (byte[] entry : entries) {
            if (startsWith(entry, name + "=")) {
                int start = name.length() + 1;
                return new String(entry, start, entry.length - start, StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    private static byte[] withShim(byte[] entry, String shim) {
        byte[] head = bytes(PRELOAD + shim + ":");
        int old = PRELOAD.length();
        byte[] joined = new byte[head.length + entry.length - old];
        System.arraycopy(head, 0, joined, 0, head.length);
        System.arraycopy(entry, old, joined, head.length, entry.length - old);
        return joined;
    }

    private static boolean startsWith(byte[] entry, String prefix) {
        if (entry.length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (entry[i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
