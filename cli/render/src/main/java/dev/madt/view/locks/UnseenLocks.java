package dev.madt.view.locks;

import dev.madt.tracker.LockWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says which locks a program has that no recording sees. */
public final class UnseenLocks {
    private static final Map<String, String> NAMES = Map.of(
            "rust", "Rust's library (std::sync::Mutex, RwLock …)",
            "parking_lot", "Rust's parking_lot",
            "go", "Go (sync.Mutex, sync.RWMutex, channels …)");

    private UnseenLocks() {}

    /** Returns a sentence on what a trace tells of itself; null: it names no such locks. */
    public static String sentence(Map<String, String> meta) {
        List<String> names = new ArrayList<>();
        for (String word : meta.getOrDefault(LockWords.UNSEEN, "").split(",")) {
            String name = NAMES.get(word);
            if (name != null) {
                names.add(name);
            }
        }
        return names.isEmpty()
                ? null
                : "not seen: locks of " + String.join(" and ", names) + ", which are compiled into"
                        + " the program, and call no function that could be recorded";
    }
}
