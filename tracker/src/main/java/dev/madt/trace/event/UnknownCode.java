package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Code without a map, which names itself with each access: its templates, of one site each. Such
 * code can be made anew for ever, so all are forgotten when there are many. Several threads may
 * ask.
 */
public final class UnknownCode {
    private static final int MOST = 65_536;

    private final LongObjectHashMap<RecordTemplate> loads = new LongObjectHashMap<>();
    private final LongObjectHashMap<RecordTemplate> stores = new LongObjectHashMap<>();

    /**
     * The template of the code at an address; {@code number} is
     * {@link SharedLayout#TEMPLATE_LOAD_UNKNOWN} or the one for stores.
     */
    public synchronized RecordTemplate template(int number, long code) {
        boolean load = number == SharedLayout.TEMPLATE_LOAD_UNKNOWN;
        LongObjectHashMap<RecordTemplate> templates = load ? loads : stores;
        RecordTemplate template = templates.get(code);
        if (template == null) {
            if (templates.size() == MOST) {
                templates.clear();
            }
            template = new RecordTemplate(number, new AccessSite[] {
                new AccessSite(code, 0, load ? AccessKind.LOAD : AccessKind.STORE, 0, 0, false)
            });
            templates.put(code, template);
        }
        return template;
    }
}
