package dev.madt.view.calls;

import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A flame graph as a page for a browser, which needs no network: {@code flame.html} with data. */
final class FlamePage {
    private static final HtmlTemplate TEMPLATE =
            new HtmlTemplate(FlamePage.class, "flame.html", List.of("flame.css", "flame.js"));

    private FlamePage() {}

    static void write(FlameTree tree, CallMeasure measure, String title, OutputStream out)
            throws IOException {
        TEMPLATE.write(out, text -> data(tree, measure, title, text));
    }

    /**
     * Of each path: function, path of the caller (-1: none), calls; then for each measure what it
     * counts with all that it calls, and itself; where there are earlier traces, both in these, and
     * the width.
     */
    private static void data(FlameTree tree, CallMeasure measure, String title, TextBuffer text) {
        Map<List<String>, Integer> functions = new LinkedHashMap<>();
        Map<CallPath, Integer> places = new IdentityHashMap<>(new HashMap<>());
        StringBuilder rows = new StringBuilder();
        for (FlameTree.Node node : tree.shown()) {
            places.put(node.path(), places.size());
            List<String> named =
                    List.of(node.path().last(), node.path().function().module());
            Integer known = functions.putIfAbsent(named, functions.size());
            int function = known == null ? functions.size() - 1 : known;
            rows.append(rows.isEmpty() ? "" : ",").append('\n').append(function).append(',');
            rows.append(places.getOrDefault(node.path().caller(), -1)).append(',');
            rows.append(node.path().calls());
            for (int i = 0; i < node.all().length; i++) {
                rows.append(',').append(node.all()[i]).append(',');
                rows.append(tree.measures().get(i).of(node.path()));
                if (tree.isCompared()) {
                    rows.append(',').append(node.before()[i]).append(',');
                    rows.append(tree.measures().get(i).of(node.path().cost(true)));
                    rows.append(',').append(node.width()[i]);
                }
            }
        }
        text.text("{\"title\":").text(JsonText.quoted(title));
        text.text(",\"compared\":" + tree.isCompared());
        text.text(",\"measures\":["
                + tree.measures().stream()
                        .map(one -> JsonText.quoted(one.word()))
                        .collect(Collectors.joining(",")));
        text.text("],\"measure\":")
                .decimal(tree.measures().indexOf(measure))
                .text(",\n\"functions\":[")
                .text(functions.keySet().stream()
                        .map(one -> "[" + JsonText.quoted(one.get(0)) + ","
                                + JsonText.quoted(one.get(1)) + "]")
                        .collect(Collectors.joining(",\n")))
                .text("],\n\"paths\":[")
                .text(rows.toString())
                .text("]}");
    }
}
