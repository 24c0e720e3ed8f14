import { cpSync, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { slug } from "./slug.js";

const ROOT = resolve(import.meta.dirname, "../..");

/** Beside the pages, what pages link to: read as plain files. */
const LINKED = ["LICENSE", "deploy", "examples", ".env.example"];

/** The four parts of the site, with the pages of docs/ in the order in which they are read. */
const PARTS: Record<string, string[]> = {
  Start: "README start".split(" "),
  Guides:
    "agents functions mcp openapi compatibility tools models plans undo flow studio wiring deployment access console observability".split(
      " ",
    ),
  Reference:
    "reference/commands reference/settings reference/errors reference/api/index graphs glossary architecture CONTRIBUTING CHANGELOG".split(
      " ",
    ),
  Research: "evaluation results retrieval reliability budget demonstrations creation".split(" "),
};

/** The site: the pages of docs/ as they are, and the README as its first page. `npm run docs` builds it. */
export default defineConfig({
  title: "tulipgraph",
  description: "An agent for tool libraries of any size",
  lang: "en",
  srcDir: ROOT,
  srcExclude: ["node_modules/**", "dist/**", "tests/**", ".*/**", "tools/**"],
  rewrites: { "README.md": "index.md" },
  metaChunk: true,
  markdown: {
    anchor: { slugify: slug },
    theme: { light: "github-light", dark: "github-dark" },
    config: (md) => {
      md.core.ruler.push("plain-files", ({ tokens, env }) => plainFiles(tokens, env as Page));
      const fence = md.renderer.rules.fence?.bind(md.renderer.rules);
      md.renderer.rules.fence = (...all) => {
        const { info, content } = all[0][all[1]] ?? { info: "", content: "" };
        if (info.trim() === "mermaid") return `<pre class="mermaid">${escaped(content)}</pre>`;
        return fence?.(...all) ?? "";
      };
    },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: Object.keys(PARTS).map((text) => ({ text, link: linkOf(pagesOf(text)[0] ?? "") })),
    sidebar: Object.keys(PARTS).map((text) => ({ text, items: pagesOf(text).map(itemOf) })),
    outline: [2, 3],
    docFooter: { prev: "Before", next: "Next" },
  },
  // Images and examples have pages of their own size; the largest chunk is the search index.
  vite: { build: { chunkSizeWarningLimit: 4000 }, publicDir: false },
  buildEnd: ({ outDir }) => {
    for (const name of LINKED) cpSync(join(ROOT, name), join(outDir, name), { recursive: true });
  },
});

/** What markdown-it is told of a page by VitePress. */
interface Page {
  path?: string;
}

/** The pages of a part that there are; those that no part lists come with the guides. */
function pagesOf(part: string): string[] {
  const listed = new Set(Object.values(PARTS).flat());
  const written = readdirSync(join(ROOT, "docs")).flatMap((name) =>
    name.endsWith(".md") ? name.slice(0, -3) : [],
  );
  const others = part === "Guides" ? written.filter((name) => !listed.has(name)) : [];
  return [...(PARTS[part] ?? []), ...others].filter((name) => existsSync(fileOf(name)));
}

/** Names in capitals are files at the top. */
function fileOf(name: string): string {
  return join(ROOT, /^[A-Z]+$/.test(name) ? `${name}.md` : `docs/${name}.md`);
}

function linkOf(name: string): string {
  if (name === "README") return "/";
  return fileOf(name)
    .slice(ROOT.length, -".md".length)
    .replace(/index$/, "");
}

function itemOf(name: string): DefaultTheme.SidebarItem {
  const heading = /^# (.+)$/m.exec(readFileSync(fileOf(name), "utf8"))?.[1] ?? name;
  const text = name === "README" ? "What it is" : heading.replaceAll("`", "");
  return { text, link: linkOf(name) };
}

/** Links to files that are not pages, such as recipes and examples, leave the site's router alone. */
function plainFiles(
  tokens: { children?: unknown; type: string }[],
  { path = join(ROOT, "README.md") }: Page,
): void {
  const links = tokens.flatMap(({ children }) => (children ?? []) as Link[]);
  for (const link of links) {
    const href = link.type === "link_open" ? link.attrGet("href") : null;
    if (!href || /^(?:[a-z]+:|#)|\.md(?:#|$)/.test(href)) continue;
    const file = join(dirname(path), href);
    if (existsSync(file) && statSync(file).isFile()) link.attrSet("target", "_self");
  }
}

interface Link {
  type: string;
  attrGet: (name: string) => string | null;
  attrSet: (name: string, value: string) => void;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{", "&#123;");
}
