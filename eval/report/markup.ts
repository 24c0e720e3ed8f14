const TEXT = Symbol("markup");

/** Text that is already HTML. Only this module can make it, so data are never mistaken for it. */
export interface Markup {
  readonly [TEXT]: string;
}

/** What a template accepts: texts are escaped, undefined parts are left out. */
export type Content = string | number | Markup | undefined | readonly Content[];

/** HTML from a template. Values are escaped unless they are markup; the template must quote attributes. */
export function markup(parts: TemplateStringsArray, ...values: Content[]): Markup {
  const text = parts.map((part, index) => part + escapeContent(values[index])).join("");
  return trusted(text);
}

/** Treats a text as HTML; never use it for data of a run. */
export function trusted(text: string): Markup {
  return { [TEXT]: text };
}

/** The HTML itself. */
export function markupText(markup: Markup): string {
  return markup[TEXT];
}

/** Escapes a text for contents and for quoted attributes. */
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
