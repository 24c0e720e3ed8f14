import { createHash } from "node:crypto";
import { markup, type Markup, markupText, trusted } from "../markup.js";
import { readText } from "../../files.js";

const STYLE = new URL("./style.css", import.meta.url);

/** A part of a report with a heading. */
export interface Section {
  id: string;
  title: string;
  contents: Markup;
}

/**
 * A self-contained page without external fonts, scripts or images. Its policy forbids all requests and all scripts
 * but its own (by hash), so that data could do nothing even if they were read as HTML.
 *
 * @param request.script runs after the page has loaded
 */
export function htmlDocument(request: {
  title: string;
  heading: Markup;
  sections: Section[];
  script?: string;
}): string {
  const { title, heading, sections, script } = request;
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${scriptSource(script)}`;
  return markupText(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${trusted(readText(STYLE))}</style>
</head>
<body>
<header>
${heading}
${contentsList(sections)}
</header>
<main>
${sections.map(sectionHtml)}
</main>
${script === undefined ? undefined : markup`<script>${trusted(script)}</script>`}
</body>
</html>
`);
}

function scriptSource(script: string | undefined): string {
  if (script === undefined) return "'none'";
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

function contentsList(sections: Section[]): Markup {
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav aria-label="Contents"><ul>${links}</ul></nav>`;
}

function sectionHtml({ id, title, contents }: Section): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${contents}
</section>
`;
}
