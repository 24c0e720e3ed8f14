import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { slug } from "../../docs/.vitepress/slug.js";
import { jsonOrText } from "../../cli/options.js";
import { GRAPH_IDS } from "../../graphs/index.js";
import { parseSettings } from "../../state/settings.js";
import { settingNames } from "../house/settingNames.js";
import { listCommands } from "../house/commands.js";
import { PAGES } from "./pages.js";

const FOLDERS =
  "agents|bin|cli|common|deploy|docs|eval|examples|graphs|memory|models|nodes|plans|scripts|server|state|storage|tests|tools";
const FILE = new RegExp(`^(?:${FOLDERS})/[\\w./-]*[\\w/]$`);

const commands = await listCommands();
const known = new Map(commands.map(({ words, options }) => [words, options]));
const groups = new Set(commands.flatMap(({ words }) => words.split(" ")[0] || []));
const ofAll = ["--help", "--version", ...(known.get("") ?? [])];
const everyOption = new Set([...ofAll, ...[...known.values()].flat()]);

/** A name that can only be that of a graph. */
const GRAPH = /^(?:(?:iit|tptu)_[a-z]+|(?:react|dfsdt|tot_dfs)(?:_[a-z]+)*|[a-z_]+_tulip)$/;

/** A call in a sentence; the blocks are parsed by examples.alone.long.test.ts. */
const CALL = /\btulipgraph ((?:[a-z"'-]).*)/g;

describe.each(PAGES)("%s", (page) => {
  // Figures of the past name what made them then, with the commit that has it. Diffs are performed by a test.
  const text = readFileSync(page, "utf8").replaceAll(/```diff\n[\s\S]*?```/g, "");
  const lines = text.split("\n").filter((line) => !line.includes("at commit"));

  it("names only files that exist", () => {
    const spans = lines.flatMap((line) => [...line.matchAll(/`([^`\s]+)`/g)]);
    const files = spans.map(([, span = ""]) => span).filter((span) => FILE.test(span));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("names only graphs and settings that exist", () => {
    const spans = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)]);
    const texts = spans.map(([, span = ""]) => span);
    const graphs = texts.filter((span) => GRAPH.test(span));
    const chosen = texts.flatMap((span) => /--graphs? ([\w,]+)/.exec(span)?.[1]?.split(",") ?? []);
    const known = new Set<string>([...GRAPH_IDS, "all", "ID", "a", "b"]);
    expect([...graphs, ...chosen].filter((id) => !known.has(id))).toEqual([]);
    const set = texts.flatMap((span) => [...span.matchAll(/--set (\w+)=/g)]);
    const alone = texts.flatMap((span) => /^([a-z]+[A-Za-z]*)=[\w:]+$/.exec(span)?.[1] ?? []);
    // LangGraph's request, a gate on a score, and facts of blocks.
    const ofOthers = ["action", "answerNumeric", "from", "file", "needs"];
    const names = [
      ...set.map(([, name = ""]) => name),
      ...alone.filter((n) => !ofOthers.includes(n)),
    ];
    expect(names.filter((name) => !settingNames().includes(name))).toEqual([]);
  });

  it("calls only programs and scripts that exist", () => {
    expect(programsIn(text).filter((file) => !existsSync(file))).toEqual([]);
  });

  it("names the command that makes each of its pictures", () => {
    const pictures = [...text.matchAll(/!\[[^\]]*\]\((?:docs\/)?images\/([\w-]+)\.\w+\)/g)];
    const makers = programsIn(text).map((file) => readFileSync(file, "utf8"));
    const isMade = (name: string) =>
      makers.some((code) => code.includes(name)) || text.includes("tulipgraph eval report ");
    expect(pictures.filter(([, name = ""]) => !isMade(name)).map(([link]) => link)).toEqual([]);
  });

  it("links only to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leads(page, link))).toEqual([]);
  });

  it("calls only commands that exist, with options that they have", () => {
    const spans = lines.join("\n").matchAll(/`([^`\n]+)`/g);
    const calls = [...spans].flatMap(([, span = ""]) => [...span.matchAll(CALL)]);
    const wrong = calls.flatMap(([, call = ""]) => problem(call) ?? []);
    expect(wrong).toEqual([]);
  });
});

it("names beside each table of results the command that makes it", () => {
  const sections = readFileSync("docs/results.md", "utf8").split(/^(?=##+ )/m);
  const tables = sections.filter((section) => section.includes("| --"));
  expect(tables.length).toBeGreaterThan(4);
  const bare = tables.filter((section) => !/tulipgraph eval run .*--out \w|npx tsx /.test(section));
  expect(bare.map((section) => section.split("\n")[0])).toEqual([]);
});

it("names for each mechanism of the sources a form that exists, and what shows it", () => {
  const [, table = ""] = readFileSync("docs/graphs.md", "utf8").split(
    "## What the sources describe",
  );
  const rows = [...table.matchAll(/^\| (?!source|-)(.*) \|$/gm)].map(([, row = ""]) =>
    row.split(" | "),
  );
  expect(rows.length).toBeGreaterThan(50);
  const unknown = rows.flatMap(([, what = "", form = "", , shown = ""]) => {
    const spans = [...form.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
    const isShown =
      /^\s*(?:`tests\/[\w/.]+\.test\.ts`(?:, )?|\[[^\]]+\]\(results\.md#[\w-]+\))+\s*$/.test(shown);
    const wrong = spans.filter((span) => !isForm(span) || !takesValues(span));
    return [...(isShown ? [] : [what.trim()]), ...wrong];
  });
  expect(unknown).toEqual([]);
});

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

/** The files that a page runs with tsx, itself or by a script of the package; of an unknown script, its name. */
function programsIn(text: string): string[] {
  const calls = [...text.matchAll(/npx tsx ([\w./-]+\w)|npm run ([\w:-]+)/g)];
  return calls.flatMap(([, file, script = ""]) => {
    if (file !== undefined) return file;
    const command = scripts[script];
    return command === undefined
      ? `npm run ${script}`
      : (/tsx ([\w./-]+)/.exec(command)?.[1] ?? []);
  });
}

const STAGES = readdirSync("nodes", { recursive: true }).map((path) =>
  basename(String(path), ".ts"),
);

/** Whether a graph, a setting, a stage, a file, a command or an option has this name. */
function isForm(span: string): boolean {
  const [name = "", ...further] = span.split(/[ =]/);
  if (groups.has(name) && further.length > 0) return problem(span) === undefined;
  const known = [...GRAPH_IDS, ...settingNames(), ...STAGES, "$$PREV[i]", "iit_…"];
  return known.includes(name) || everyOption.has(name) || existsSync(span);
}

/** Whether a setting takes each value that a span gives it. */
function takesValues(span: string): boolean {
  const [, name = "", values = ""] = /(?:^|--set )(\w+)=([\w.,]+)$/.exec(span) ?? [];
  if (!settingNames().includes(name)) return true;
  return values.split(",").every((value) => {
    try {
      return Boolean(parseSettings({ [name]: jsonOrText(value) }));
    } catch {
      return false;
    }
  });
}

/** What is wrong with the words after `tulipgraph`, if they are a call. */
function problem(call: string): string | undefined {
  const [own = ""] = call.split(/`| #| \| | -- |\s{2,}/);
  const words = own.split(/\s+/);
  const [first = "", second = ""] = words;
  if (!groups.has(first)) {
    const speaks = /^["'-]/.test(first) || !/^[a-z]+$/.test(first);
    return speaks ? undefined : `no command: ${own}`;
  }
  const [command] = [3, 2, 1].map((n) => words.slice(0, n).join(" ")).filter((w) => known.has(w));
  // One that does something by itself may take a word.
  const parts = !known.has(first) && commands.some(({ words: all }) => all.startsWith(`${first} `));
  if (parts && /^[a-z]+$/.test(second) && !isCommand(`${first} ${second}`))
    return `no command: ${own}`;
  const options = own.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
  const taken = command === undefined ? everyOption : new Set(known.get(command));
  const unknown = options.find((option) => !taken.has(option) && !ofAll.includes(option));
  return unknown && `${unknown}: ${own}`;
}

const isCommand = (words: string) =>
  commands.some(({ words: all }) => all === words || all.startsWith(`${words} `));

/** Whether a link of a page leads to a file, and to a heading of it if it names one. */
function leads(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const folder = page.includes("/") ? page.slice(0, page.lastIndexOf("/") + 1) : "";
  const file = path === "" ? page : new URL(path, `file:///${folder}`).pathname.slice(1);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)];
  return headings.some(([, heading = ""]) => slug(heading) === anchor);
}
