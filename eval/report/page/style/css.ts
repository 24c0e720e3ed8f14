/** A piece of the style sheet as it is written; the name lets editors and the formatter know. */
export const css = String.raw;
