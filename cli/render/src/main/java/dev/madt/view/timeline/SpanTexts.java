package dev.madt.view.timeline;

import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Arguments and results of calls in a page: those of the longest calls, as far as there is room for
 * their texts.
 */
final class SpanTexts {
    /** Letters that are kept. */
    private static final long ROOM = 4 << 20;
    /** Letters of one text. */
    private static final int LONGEST = 500;

    private record SpanText(int lane, int row, int at, long length, String text) {}

    private final List<SpanText> kept;
    private final int left;

    /** @param lanes in the order of the page */
    SpanTexts(Timeline timeline, List<Lane> lanes) {
        List<SpanText> all = new ArrayList<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            List<SpanRow> rows = timeline.rows(lanes.get(lane));
            for (int row = 0; row < rows.size(); row++) {
                add(all, rows.get(row), lane, row);
            }
        }
        all.sort(Comparator.comparingLong(SpanText::length).reversed());
        long room = ROOM;
        int count = 0;
        while (count < all.size() && room >= all.get(count).text().length()) {
            room -= all.get(count++).text().length();
        }
        kept = all.subList(0, count);
        left = all.size() - count;
    }

    private static void add(List<SpanText> all, SpanRow row, int lane, int depth) {
        for (int at = 0; at < row.size(); at++) {
            String said = row.said(at);
            if (said != null) {
                String text = said.length() > LONGEST ? said.substring(0, LONGEST) + "…" : said;
                all.add(new SpanText(lane, depth, at, row.length(at), text));
            }
        }
    }

    /** Calls whose texts had no room. */
    int left() {
        return left;
    }

    /** Lane, row, number of the span and text of each. */
    void write(TextBuffer text) {
        String before = "\n";
        for (SpanText one : kept) {
            text.text(before).text("[").decimal(one.lane());
            text.text(",").decimal(one.row());
            text.text(",").decimal(one.at());
            text.text(",").text(JsonText.quoted(one.text())).text("]");
            before = ",\n";
        }
    }
}
