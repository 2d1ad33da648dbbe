package dev.madt.tracker;

import dev.madt.trace.event.Block;

/** Forged names of blocks. */
public final class ForgedName {
    private static final int DIGITS = 4;

    private ForgedName() {}

    /**
     * The name of a block, for instance {@code <malloc0014@func+230>}.
     *
     * @param codeName name of the call, with {@code ~} after a tail call
     */
    public static String render(Block block, String codeName) {
        return numbered(prefix(block), block, codeName);
    }

    /** As {@link #render}, with the name of the function that allocated, as tables have it. */
    public static String shown(Block block, String codeName) {
        return numbered(block.live() ? block.kind().shown() : prefix(block), block, codeName);
    }

    private static String numbered(String prefix, Block block, String codeName) {
        StringBuilder name = new StringBuilder(24 + codeName.length());
        name.append(prefix);
        String number = Long.toString(block.number());
        for (int i = number.length(); i < DIGITS; i++) {
            name.append('0');
        }
        return behind(name.append(number), codeName);
    }

    /**
     * The name in tables that all blocks of one call share, for instance {@code <malloc@func+230>}.
     *
     * @param codeName name of the call
     */
    public static String common(Block.Kind kind, String codeName) {
        return behind(new StringBuilder(kind.shown()), codeName);
    }

    private static String behind(StringBuilder head, String codeName) {
        return head.append('@').append(codeName).append('>').toString();
    }

    private static String prefix(Block block) {
        return switch (block.life()) {
            case LIVE -> block.kind().prefix();
            case FREED -> "<freed:";
            case UNMAPPED -> "<unmap:";
        };
    }
}
