import { readText } from "../files.js";
import { markup, type Markup, trusted } from "./markup.js";
import type { Cell, Column, Report, RowGroup, Section, Table } from "./report.js";

/** The style of pages, with their colours. */
export const STYLE = new URL("./style.css", import.meta.url);

/** Forbids all requests and all scripts, so that data could do nothing even if they were read as HTML. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'none'";

/** A report as one HTML file without scripts, external fonts or images. */
export function reportHtml(report: Report): string {
  const { title, sections } = report;
  const links = sections.map((each) => markup`<li><a href="#${each.id}">${each.title}</a></li>`);
  return String(markup`<!doctype html>
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
<nav aria-label="Contents"><ul>${links}</ul></nav>
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
<details><summary>What was measured</summary>${groups}</details>`;
}

function sectionHtml({
  id,
  title,
  note,
  tables = [],
  figures = [],
  details = [],
}: Section): Markup {
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

/** No screen has room for more columns side by side. */
const MOST_COLUMNS = 9;

/**
 * A table. If its columns do not fit side by side, on a phone or because there are many, each row becomes a block in
 * which every figure stands under the name of its column (style.css). Explicit roles keep it accessible as a table.
 */
function tableHtml({ caption, columns, groups }: Table): Markup {
  const headings = columns.map(
    ({ label, note, kind }) =>
      markup`<th role="columnheader" scope="col" class="${kind}">${label}${small(note)}</th>`,
  );
  const many = columns.length > MOST_COLUMNS ? " many" : "";
  return markup`<div class="scroll${many}" role="region" tabindex="0" aria-label="${caption}">
<table role="table" class="folds">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
${groups.map((group) => groupHtml(group, columns))}
</table>
</div>
`;
}

function groupHtml({ heading, rows }: RowGroup, columns: Column[]): Markup {
  const header = markup`<th role="rowheader" scope="rowgroup" colspan="${columns.length}">${heading}</th>`;
  return markup`<tbody role="rowgroup">
${heading === undefined ? undefined : markup`<tr role="row" class="group">${header}</tr>`}
${rows.map((row) => markup`<tr role="row">${row.map((cell, index) => cellHtml(cell, columns[index], index))}</tr>`)}
</tbody>
`;
}

function cellHtml({ text, note }: Cell, column: Column | undefined, index: number): Markup {
  const { label, kind } = column ?? { label: "", kind: "text" };
  if (index === 0) {
    return markup`<th role="rowheader" scope="row" class="${kind}">${text}${small(note)}</th>`;
  }
  const empty = text === "" ? " empty" : "";
  return markup`<td role="cell" data-label="${label}" class="${kind}${empty}">${text}${small(note)}</td>`;
}

function small(note: string | undefined): Markup | undefined {
  return note === undefined ? undefined : markup`<small>${note}</small>`;
}
