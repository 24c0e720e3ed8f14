import { readFileSync } from "node:fs";

/**
 * The style sheet of reports: a printed report on a screen, with one accent colour. Colours come first, in
 * a light and a dark scheme: text has a contrast of at least 4.5 to 1 with what it stands on, the series of
 * charts have 3 to 1, and hues that some eyes take for one another differ in lightness too.
 */
export const STYLE = ["colours", "text", "tables", "charts", "runs"]
  .map((part) => readFileSync(new URL(`${part}.css`, import.meta.url), "utf8"))
  .join("\n");
