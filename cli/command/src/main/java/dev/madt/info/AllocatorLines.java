package dev.madt.info;

import dev.madt.console.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says of a trace which allocators by other names it has the blocks of, and what chains lack. */
final class AllocatorLines {
    private AllocatorLines() {}

    static List<String> of(Map<String, String> meta) {
        List<String> lines = new ArrayList<>();
        if (meta.containsKey("alloc")) {
            lines.add(meta.get("alloc"));
        }
        long unknown = count(meta, "alloc_unknown");
        if (unknown > 0) {
            lines.add(Numbers.counted(unknown, "end", "ends")
                    + " of blocks whose beginning was not recorded");
        }
        long odd = count(meta, "alloc_odd_sizes");
        if (odd > 0) {
            lines.add(Numbers.counted(odd, "block", "blocks")
                    + " without a size: what was taken for it cannot be one");
        }
        return lines;
    }

    /** Says of how many allocations not all calls are known that led there. */
    static List<String> chains(Map<String, String> meta) {
        long cut = count(meta, "chains_cut");
        return cut == 0
                ? List.of()
                : List.of(Numbers.counted(cut, "chain of calls ends", "chains of calls end")
                        + " where no unwind table tells who called");
    }

    /** Returns a number of the trace's; 0: it has none of this name. */
    static long count(Map<String, String> meta, String key) {
        String count = meta.getOrDefault(key, "0");
        return count.matches("[1-9][0-9]{0,17}") ? Long.parseLong(count) : 0;
    }
}
