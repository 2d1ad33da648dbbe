package dev.madt.session;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The environment of the target: the caller's entries in their order, with what libmadt.so needs
 * (and takes out again).
 */
public final class Environment {
    private static final String PRELOAD = "LD_PRELOAD=";
    private static final String TUNABLES = "GLIBC_TUNABLES=";

    private Environment() {}

    /**
     * @param signals what libmadt.so is to ignore and block for the target, see
     *     {@link Spawner#leftToTheShim}; null: nothing
     */
    public static List<byte[]> forTarget(List<byte[]> caller, Path session, String signals) {
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
        if (signals != null) {
            entries.add(bytes("MADT_SIGNALS=" + signals));
        }
        if (!preloaded) {
            entries.add(bytes(PRELOAD + shim));
        }
        return entries;
    }

    /**
     * The entries as the caller gave them. Before version 2.38 glibc's loader cuts GLIBC_TUNABLES
     * into pieces where the kernel shows it, at colons, and hands a whole copy to the program.
     *
     * @param entries as the kernel shows them
     * @param tunables the whole value, or null
     */
    static List<byte[]> joined(List<byte[]> entries, String tunables) {
        List<byte[]> whole = new ArrayList<>(entries);
        int first = 0;
        while (first < whole.size() && !startsWith(whole.get(first), TUNABLES)) {
            first++;
        }
        if (tunables == null || first == whole.size()) {
            return whole;
        }
        byte[] wanted = bytes(TUNABLES + tunables);
        int pieces = 1;
        byte[] text = whole.get(first);
        while (text.length < wanted.length && first + pieces < whole.size()) {
            text = concat(text, bytes(":"), whole.get(first + pieces++));
        }
        if (Arrays.equals(text, wanted)) {
            whole.subList(first, first + pieces).clear();
            whole.add(first, wanted);
        }
        return whole;
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    /** The value of a variable, or null. */
    public static String value(List<byte[]> entries, String name) {
        for (byte[] entry : entries) {
            if (startsWith(entry, name + "=")) {
                int start = name.length() + 1;
                return new String(entry, start, entry.length - start, StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    private static byte[] withShim(byte[] entry, String shim) {
        return concat(
                bytes(PRELOAD + shim + ":"),
                Arrays.copyOfRange(entry, PRELOAD.length(), entry.length));
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
