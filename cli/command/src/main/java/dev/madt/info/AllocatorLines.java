package dev.madt.info;

import dev.madt.console.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says of a trace which allocators by other names it has the blocks of. */
final class AllocatorLines {
    private AllocatorLines() {}

    static List<String> of(Map<String, String> meta) {
        List<String> lines = new ArrayList<>();
        if (meta.containsKey("alloc")) {
            lines.add(meta.get("alloc"));
        }
        String unknown = meta.getOrDefault("alloc_unknown", "0");
        if (unknown.matches("[1-9][0-9]{0,17}")) {
            lines.add(Numbers.counted(Long.parseLong(unknown), "end", "ends")
                    + " of blocks whose beginning was not recorded");
        }
        return lines;
    }
}
