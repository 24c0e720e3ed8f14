import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** Text that is already HTML, so that data are never mistaken for it. */
export type Markup = HtmlEscapedString;

/** What a template accepts: texts are escaped, undefined parts are left out. */
type Content = string | number | Markup | undefined | readonly Content[];

/** HTML from a template. Values are escaped unless they are markup; the template must quote attributes. */
export const markup = html as (parts: TemplateStringsArray, ...values: Content[]) => Markup;

/** Treats a text as HTML; never use it for data of a run. */
export const trusted: (text: string) => Markup = raw;
