package dev.madt.generated;

import java.util.Map;
import java.util.TreeMap;

/** Functions that do not overlap: a new one takes the place of those that were there. */
final class FunctionsByAddress {
    private final TreeMap<Long, GeneratedFunction> functions = new TreeMap<>(Long::compareUnsigned);

    void add(GeneratedFunction function) {
        long end = function.start() + function.size();
        Map.Entry<Long, GeneratedFunction> before = functions.lowerEntry(end);
        while (before != null && before.getValue().holds(function.start())
                || before != null && Long.compareUnsigned(before.getKey(), function.start()) >= 0) {
            functions.remove(before.getKey());
            before = functions.lowerEntry(end);
        }
        functions.put(function.start(), function);
    }

    /** Moves the function that begins at an address; there may be none. */
    void move(long from, long to) {
        GeneratedFunction function = functions.remove(from);
        if (function != null) {
            add(new GeneratedFunction(to, function.size(), function.name()));
        }
    }

    /** Returns the function around an address, or null. */
    GeneratedFunction at(long address) {
        Map.Entry<Long, GeneratedFunction> entry = functions.floorEntry(address);
        return entry == null || !entry.getValue().holds(address) ? null : entry.getValue();
    }
}
