package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertSame;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.SharedLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTableTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldHoldTemplatesOfAnyNumberAsAMapDoes(long seed) {
        Random random = new Random(seed);
        Map<Integer, RecordTemplate> model = new HashMap<>();
        TemplateTable table = new TemplateTable();
        for (int i = 0; i < 5_003; i++) {
            int number = SharedLayout.TEMPLATE_FIRST_MODULE
                    + (random.nextInt(Integer.MAX_VALUE - 16) >>> random.nextInt(31));
            assertSame(model.get(number), table.get(number), "template " + number);
            RecordTemplate template = new RecordTemplate(number, new AccessSite[0]);
            model.put(number, template);
            table.put(template);
        }
        model.forEach((number, template) ->
                assertSame(template, table.get(number), "template " + number));
    }
}
