import { markup, type Markup, markupText, trusted } from "./markup.js";
import { readText } from "../files.js";
import type { Report, Section } from "./report.js";
import { tableHtml } from "./tables/tableHtml.js";

const STYLE = new URL("./style.css", import.meta.url);

/** Forbids all requests and all scripts, so that data could do nothing even if they were read as HTML. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'none'";

/** A report as one HTML file without scripts, external fonts or images. */
export function reportHtml(report: Report): string {
  const { title, sections } = report;
  return markupText(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title} · tulipgraph</title>
<style>${trusted(readText(STYLE))}</style>
</head>
<body>
<header>
${heading(report)}
${contentsList(sections)}
</header>
<main>
${sections.map(sectionHtml)}
</main>
</body>
</html>
`);
}

function heading({ title, finding, warnings, facts }: Report): Markup {
  const groups = facts.map(({ heading: name, entries }) => {
    const shown = entries.map(
      ([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
    );
    return markup`${name === undefined ? undefined : markup`<h3>${name}</h3>`}<dl class="facts">${shown}</dl>`;
  });
  return markup`<p class="kicker">tulipgraph evaluation</p>
<h1>${title}</h1>
<p class="finding">${finding}</p>
${warnings.map((warning) => markup`<p class="warning">${warning}</p>`)}
${groups}`;
}

function contentsList(sections: readonly Section[]): Markup {
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav aria-label="Contents"><ul>${links}</ul></nav>`;
}

function sectionHtml({ id, title, note, tables, figures = [], details = [] }: Section): Markup {
  const folded = details.map(
    (table) => markup`<details><summary>${table.caption}</summary>${tableHtml(table)}</details>`,
  );
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${note === undefined ? undefined : markup`<p class="muted">${note}</p>`}
${tables.map(tableHtml)}
${figures}
${folded}
</section>
`;
}
