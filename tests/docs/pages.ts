import { existsSync, readFileSync, readdirSync } from "node:fs";

/** All pages of the documents, by their paths. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? `docs/${name}` : [])),
  ...readdirSync("examples").flatMap((name) => {
    const page = `examples/${name}/README.md`;
    return existsSync(page) ? page : [];
  }),
];

/** A block of code of a page. */
export interface Block {
  page: string;
  /** The line of its fence, from 1. */
  line: number;
  language: string;
  /** What stands behind the language: `needs=key`, `from=FILE`, `file=NAME`. */
  facts: Partial<Record<string, string>>;
  text: string;
}

const FENCED = /^```(\w*)([^\n`]*)\n([\s\S]*?)^```$/gm;

export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(FENCED)].map(
    ({ index, 1: language = "", 2: info = "", 3: code = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      facts: Object.fromEntries(
        info
          .trim()
          .split(/\s+/)
          .map((fact) => fact.split("=")),
      ) as Block["facts"],
      text: code,
    }),
  );
}
