package dev.madt.view.convert;

import dev.madt.view.Place;
import dev.madt.view.convert.MassifSnapshots.Share;
import dev.madt.view.toolkit.TextBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The bytes of a snapshot as Massif's tree: below each call those that led to it. */
final class HeapTree {
    /** Calls below this share of a snapshot are summed up. */
    private static final double THRESHOLD = 0.01;

    private static final class Node {
        private final String frame;
        private final Map<String, Node> callers = new LinkedHashMap<>();
        private long bytes;

        private Node(String frame) {
            this.frame = frame;
        }
    }

    private final Node root =
            new Node("(heap allocation functions) malloc/new/new[], --alloc-fns, etc.");

    HeapTree(List<Share> sites) {
        for (Share share : sites) {
            Node node = root;
            node.bytes += share.bytes();
            for (Place call : share.site().frames) {
                node = node.callers.computeIfAbsent(Frames.text(call), Node::new);
                node.bytes += share.bytes();
            }
        }
    }

    void write(TextBuffer text) {
        write(text, root, 0);
    }

    private void write(TextBuffer text, Node node, int depth) {
        List<Node> shown = new ArrayList<>(node.callers.values());
        shown.removeIf(caller -> caller.bytes < THRESHOLD * root.bytes);
        shown.sort((a, b) -> Long.compare(b.bytes, a.bytes));
        int hidden = node.callers.size() - shown.size();
        text.text(" ".repeat(depth))
                .character('n')
                .decimal(shown.size() + (hidden > 0 ? 1 : 0))
                .text(": ")
                .decimal(node.bytes)
                .character(' ')
                .text(node.frame)
                .character('\n');
        for (Node caller : shown) {
            write(text, caller, depth + 1);
        }
        if (hidden > 0) {
            long rest = node.callers.values().stream()
                            .mapToLong(caller -> caller.bytes)
                            .sum()
                    - shown.stream().mapToLong(caller -> caller.bytes).sum();
            text.text(" ".repeat(depth + 1))
                    .text("n0: ")
                    .decimal(rest)
                    .text(" in ")
                    .decimal(hidden)
                    .text(hidden == 1 ? " place" : " places")
                    .text(String.format(
                            Locale.ROOT,
                            ", %sbelow massif's threshold (%.2f%%)%n",
                            hidden == 1 ? "" : "all ",
                            100 * THRESHOLD));
        }
    }
}
