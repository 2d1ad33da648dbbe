package dev.madt.view.toolkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {
    private static Document parse(Chart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg, String tag) {
        NodeList nodes = svg.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    private static double number(Document svg, String tag, int index, String attribute) {
        Element element = (Element) svg.getElementsByTagName(tag).item(index);
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void shouldDrawABarForEachNameAsHighAsItsValue() throws Exception {
        Document svg = parse(new Chart(
                        Chart.Kind.BAR,
                        "a < b",
                        ChartAxis.names(List.of("vector<int>", "&x", "none")),
                        ChartAxis.numbers("misses"))
                .point("misses", 0, 1_000)
                .point("misses", 1, 250)
                .point("misses", 2, 0));
        assertEquals(List.of("vector<int>: 1,000", "&x: 250", "none: 0"), texts(svg, "title"));
        double first = number(svg, "rect", 0, "height");
        assertEquals(first / 4, number(svg, "rect", 1, "height"), 0.2);
        assertEquals(0, number(svg, "rect", 2, "height"));
        assertTrue(texts(svg, "text").containsAll(List.of("a < b", "vector<int>", "misses")));
    }

    @Test
    void shouldGivePowersOfTwoAsMuchRoomAsEachOther() throws Exception {
        Chart chart =
                new Chart(Chart.Kind.LINE, "", ChartAxis.bytes("size"), ChartAxis.shares("misses"));
        for (int power = 6; power <= 20; power++) {
            chart.point("misses", 1 << power, 1.0 / power);
        }
        Document svg = parse(chart);
        double step = number(svg, "circle", 1, "cx") - number(svg, "circle", 0, "cx");
        for (int i = 1; i < 15; i++) {
            assertEquals(
                    step, number(svg, "circle", i, "cx") - number(svg, "circle", i - 1, "cx"), 0.2);
        }
        assertTrue(
                texts(svg, "title").contains("1 KiB: 10.0 %"),
                texts(svg, "title").toString());
        assertTrue(texts(svg, "text").contains("4 KiB"), texts(svg, "text").toString());
    }

    @Test
    void shouldShadeCellsByTheirWeight() throws Exception {
        Document svg = parse(new Chart(
                        Chart.Kind.HEAT,
                        "",
                        ChartAxis.numbers("x"),
                        ChartAxis.named("y", List.of("low", "high")))
                .cell(0, 0, 1)
                .cell(1, 0, 100)
                .cell(1, 1, 10_000));
        assertEquals(List.of("0, low: 1", "1, low: 100", "1, high: 10,000"), texts(svg, "title"));
        assertTrue(number(svg, "rect", 0, "fill-opacity") < number(svg, "rect", 1, "fill-opacity"));
        assertEquals(1, number(svg, "rect", 2, "fill-opacity"));
        assertTrue(number(svg, "rect", 2, "y") < number(svg, "rect", 1, "y"));
    }

    @Test
    void shouldTellSeriesApart() throws Exception {
        Document svg =
                parse(new Chart(Chart.Kind.BAR, "", ChartAxis.numbers("x"), ChartAxis.numbers("y"))
                        .point("loads", 1, 3)
                        .point("stores", 1, 4));
        assertEquals(List.of("loads, 1: 3", "stores, 1: 4"), texts(svg, "title"));
        assertTrue(texts(svg, "text").containsAll(List.of("loads", "stores")));
    }

    @Test
    void shouldDrawALineOfOnePoint() throws Exception {
        Document svg =
                parse(new Chart(Chart.Kind.LINE, "", ChartAxis.numbers("x"), ChartAxis.numbers("y"))
                        .point("y", 7, 0));
        assertEquals(List.of("7: 0"), texts(svg, "title"));
        assertTrue(texts(svg, "text").contains("7"), texts(svg, "text").toString());
    }

    @Test
    void shouldDrawNothingOfNothing() throws Exception {
        assertEquals(
                List.of(),
                texts(
                        parse(new Chart(
                                Chart.Kind.LINE, "", ChartAxis.bytes("x"), ChartAxis.numbers("y"))),
                        "title"));
    }
}
