package dev.madt.trace.buffer;

/**
 * Says how many words follow the header of a record in the shared buffer; templates 1 to 5 are
 * built in, the others come from code maps.
 */
@FunctionalInterface
public interface TemplateWords {
    /** The words of this template, or a negative number if no module has it. */
    int words(int template);

    /**
     * Returns whether the words of this template are written in front of its header, so that none
     * comes later.
     */
    default boolean wordsFirst(int template) {
        return false;
    }
}
