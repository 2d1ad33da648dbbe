package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.SharedLayout;

/** Every address counts, and the templates are those that have been put here. */
final class OpenScope implements TemplateScope {
    private final TemplateTable templates = new TemplateTable();

    void put(RecordTemplate template) {
        templates.put(template);
    }

    @Override
    public RecordTemplate template(int number) {
        return templates.get(number);
    }

    @Override
    public void define(RecordTemplate template) {}

    @Override
    public boolean traced(AccessSite site) {
        return true;
    }

    @Override
    public boolean traced(long address, long[] range) {
        range[0] = 0;
        range[1] = SharedLayout.WORD_NONE;
        return true;
    }
}
