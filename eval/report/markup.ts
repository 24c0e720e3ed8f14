const TEXT = Symbol("markup");

/** Text that is HTML already. Only this module makes it, so data can never pass for it. */
export interface Markup {
  readonly [TEXT]: string;
}

/** What a template takes in: texts are escaped, nothing stands for absent parts. */
export type Content = string | number | Markup | undefined | readonly Content[];

/**
 * HTML from a template. Every value that is put in is escaped, inside attributes too (which the
 * template has to quote), unless it is markup itself.
 */
export function markup(parts: TemplateStringsArray, ...values: Content[]): Markup {
  const text = parts.map((part, index) => part + escapeContent(values[index])).join("");
  return trusted(text);
}

/** Takes a text as the HTML that it is; never for anything that holds data of a run. */
export function trusted(text: string): Markup {
  return { [TEXT]: text };
}

/** The HTML itself. */
export function markupText(markup: Markup): string {
  return markup[TEXT];
}

/**
 * Data for a script, to be read with `JSON.parse`. Without `<` no data can end its element or open
 * a comment in it.
 */
export function jsonMarkup(value: unknown): Markup {
  return trusted(JSON.stringify(value).replaceAll("<", String.raw`\u003c`));
}

/** A text whose every character is shown as it is, in contents and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function escapeContent(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return isList(content) ? content.map(escapeContent).join("") : content[TEXT];
}

function isList(content: Markup | readonly Content[]): content is readonly Content[] {
  return Array.isArray(content);
}
