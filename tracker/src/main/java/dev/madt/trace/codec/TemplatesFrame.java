package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;

/** The payload of a TMPL frame: which sites the words of a template belong to. */
public final class TemplatesFrame extends PayloadFrame {
    /** Takes the templates of a frame. */
    @FunctionalInterface
    public interface Visitor {
        /** A template; one site per word. The number may have had another meaning before. */
        void template(int template, AccessSite[] sites);
    }

    private static final int SITE_BYTES = 16;
    private static final int STACK = 1;
    private static final int FRAME = 2;
    private static final int ATOMIC = 4;
    private static final int NEXT_ELEMENT = 8;

    public TemplatesFrame() {
        super(FrameType.TEMPLATES);
    }

    /**
     * Defines a template.
     *
     * @throws IllegalArgumentException if the number is built in or reserved, or a site does not
     *     fit the format
     */
    public TemplatesFrame add(int template, AccessSite[] sites) {
        if (!definable(template)) {
            throw new IllegalArgumentException("template " + template + " cannot be defined");
        }
        payload.u32(template).u32(sites.length);
        for (AccessSite site : sites) {
            payload.u64(site.address())
                    .u8(site.length())
                    .u8(site.kind().code())
                    .u8(site.operand())
                    .u8((site.stack() ? STACK : 0)
                            | (site.frame() == AccessSite.NO_FRAME ? 0 : FRAME)
                            | (site.atomic() ? ATOMIC : 0)
                            | (site.element() > 0 ? NEXT_ELEMENT : 0))
                    .u16(site.size())
                    .u16(site.frame() == AccessSite.NO_FRAME ? 0 : site.frame() & 0xffff);
        }
        return this;
    }

    /**
     * Gives the templates to the visitor, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the templates in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, Visitor visitor) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.TEMPLATES);
        while (!cursor.atEnd()) {
            int template = cursor.u32();
            int count = cursor.u32();
            if (!definable(template)) {
                throw cursor.malformed(
                        "template " + Integer.toUnsignedString(template) + " cannot be defined");
            }
            if (count < 0 || count > cursor.remaining() / SITE_BYTES) {
                throw cursor.malformed(Integer.toUnsignedString(count) + " sites do not fit");
            }
            AccessSite[] sites = new AccessSite[count];
            for (int i = 0; i < count; i++) {
                sites[i] = site(cursor, i == 0 ? 0 : sites[i - 1].element() + 1);
            }
            visitor.template(template, sites);
        }
    }

    /**
     * Reads a site.
     *
     * @param next which element it is if it goes on with the access of the site before
     */
    private static AccessSite site(PayloadCursor cursor, int next) throws TraceFormatException {
        long address = cursor.u64();
        int length = cursor.u8();
        int access = cursor.u8();
        int operand = cursor.u8();
        int flags = cursor.u8();
        int size = cursor.u16();
        int frame = (short) cursor.u16();
        if (access == 0) {
            throw cursor.malformed("site with access kind " + access);
        }
        return new AccessSite(
                address,
                length,
                AccessKind.ofTrace(access),
                size,
                operand,
                (flags & STACK) != 0,
                (flags & FRAME) != 0 ? frame : AccessSite.NO_FRAME,
                (flags & ATOMIC) != 0,
                (flags & NEXT_ELEMENT) != 0 ? next : 0);
    }

    private static boolean definable(int template) {
        return template >= SharedLayout.TEMPLATE_FIRST_MODULE
                && template != SharedLayout.TEMPLATE_RESERVED;
    }
}
