import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { settingNames } from "./settingNames.js";
import { listCommands } from "./commands.js";

/**
 * The size of the house. A number here is raised only in a commit that says why: what comes takes the place of
 * something.
 */
const LIMITS = JSON.parse(readFileSync("tests/house/limits.json", "utf8")) as {
  commands: number;
  options: number;
  settings: number;
  words: number;
  /** Lines and files by room; a file counts in the innermost room that holds it. */
  rooms: Record<string, [lines: number, files: number]>;
};

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"])
  .toString()
  .split("\n")
  .filter((file) => existsSync(file));
const tracked = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const pages = files.filter((file) => /^(README|docs\/(?!glossary).*)\.md$/.test(file));
const sources = tracked.filter((file) => !/^(tests|examples)\/|\.config\.ts$/.test(file));
const text = (file: string) => readFileSync(file, "utf8");

describe("the house", () => {
  it("keeps each room within its lines and files", () => {
    const sizes = new Map<string, [lines: number, files: number]>();
    for (const file of tracked.filter((path) => !path.startsWith("examples/"))) {
      const room = roomOf(file);
      const [lines, files] = sizes.get(room) ?? [0, 0];
      sizes.set(room, [lines + text(file).split("\n").length - 1, files + 1]);
    }
    const larger = [...sizes].filter(([room, [lines, files]]) => {
      const [mostLines, mostFiles] = LIMITS.rooms[room] ?? [0, 0];
      return lines > mostLines || files > mostFiles;
    });
    expect(Object.fromEntries(larger)).toEqual({});
  });

  it("lists no room that does not exist", () => {
    const rooms = new Set(tracked.map(roomOf));
    expect(Object.keys(LIMITS.rooms).filter((room) => !rooms.has(room))).toEqual([]);
  });

  it("has no more commands, options and settings than it allows itself", async () => {
    const commands = await listCommands();
    expect(commands.filter(({ words }) => words).length).toBeLessThanOrEqual(LIMITS.commands);
    expect(commands.flatMap(({ options }) => options).length).toBeLessThanOrEqual(LIMITS.options);
    expect(settingNames().length).toBeLessThanOrEqual(LIMITS.settings);
  });

  it("has a glossary of one meaning a word", () => {
    const words = [...text("docs/glossary.md").matchAll(/^- \*\*(.+?)\*\*/gm)].map(
      ([, word]) => word,
    );
    expect(words.length).toBeGreaterThan(0);
    expect(words.length).toBeLessThanOrEqual(LIMITS.words);
    expect(words).toEqual([...new Set(words)]);
  });

  it("uses no word that the glossary gives up", () => {
    const all = text("docs/glossary.md").matchAll(/Not: ([^.]+)\./g);
    const words = [...all].flatMap(([, list = ""]) => list.split(", "));
    const isGivenUp = new RegExp(`\\b(?:${words.join("|")})s?\\b`, "i");
    expect(words.length).toBeGreaterThan(0);
    expect([...sources, ...pages].filter((file) => isGivenUp.test(text(file)))).toEqual([]);
  });
});

describe("imports", () => {
  it("never lead from a source to a test", () => {
    expect(
      sources.filter((file) => imports(file).some((path) => path.startsWith("tests/"))),
    ).toEqual([]);
  });

  it("of common/ lead nowhere else", () => {
    const common = sources.filter((file) => file.startsWith("common/"));
    const outside = common.flatMap(imports).filter((path) => !path.startsWith("common/"));
    expect(outside).toEqual([]);
  });
});

/** What the build puts into one file with all that it imports. */
const BUNDLED =
  /^(?:storage\/kysely|eval\/report\/vega|tools\/library\/vectors\/langchainFaiss)\.ts$|^server\/page\//;

it("what is shipped imports packages that an installation has", () => {
  const named = JSON.parse(text("package.json")) as Record<string, Record<string, string>>;
  const there = ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) =>
    Object.keys(named[kind] ?? {}),
  );
  const shipped = sources.filter(
    (file) => !/^(?:scripts|docs)\//.test(file) && !BUNDLED.test(file),
  );
  const missing = shipped.flatMap((file) =>
    packagesIn(file).flatMap((name) => (there.includes(name) ? [] : `${file}: ${name}`)),
  );
  // It builds the page where it was not built, which is a checkout.
  expect(missing).toEqual(["common/pageFiles.ts: esbuild"]);
});

it("what is shipped has no script that npm would have those who install it approve", () => {
  const { scripts } = JSON.parse(text("package.json")) as { scripts: object };
  const ofInstall = ["preinstall", "install", "postinstall", "prepare"];
  expect(Object.keys(scripts).filter((name) => ofInstall.includes(name))).toEqual([]);
});

/** The packages of others that a file imports by value, at once or later. */
function packagesIn(file: string): string[] {
  const imported = text(file).matchAll(
    /^(?:import|export) (?!type )[^;]*?from "([^".][^"]*)";|\bimport\("([^".][^"]*)"\)/gm,
  );
  return [...imported].flatMap(([, at, later = ""]) => {
    const path = at ?? later;
    if (path.startsWith("node:") || path === "tulipgraph") return [];
    return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
  });
}

describe("circles of imports", () => {
  it("do not exist in tools/, not even of types or awaited imports", () => {
    const tools = sources.filter((file) => file.startsWith("tools/"));
    expect(circlesOf(new Map(tools.map((file) => [file, imports(file)])))).toEqual([]);
  });

  it("do not exist in server/, except of types", () => {
    const server = sources.filter((file) => file.startsWith("server/"));
    expect(circlesOf(new Map(server.map((file) => [file, valueImports(file)])))).toEqual([]);
  });

  it("are found, and what leads to one is no part of it", () => {
    const circles = circlesOf(
      new Map([
        ["a", ["b"]],
        ["b", ["c", "d"]],
        ["c", ["b"]],
        ["d", []],
      ]),
    );
    expect(circles).toEqual([["b", "c"]]);
  });
});

/** Sources that name a file of a database and open, move or remove files, and which. */
const NEAR_DATABASES = {
  "eval/runs/experimentFolder.ts": "the tables of an experiment, beside its lock",
  "storage/artefacts/artefactFiles.ts":
    "revisions, which never change and which SQLite does not lock",
  "tools/library/records/libraryFiles.ts": "indexes, which are folders",
};

describe("files of databases", () => {
  it("are opened, moved and removed by nothing but SQLite", () => {
    const names =
      "open|readFile|writeFile|appendFile|copyFile|cp|rename|truncate|unlink|rm|createReadStream|createWriteStream";
    const opens = new RegExp(`\\b(?:${names})(?:Sync)?\\b(?=[^;]*from "node:fs)`);
    const near = sources.filter((file) => {
      const code = text(file);
      return opens.test(code) && /\.db(?:-wal|-shm)?["'`]/.test(code);
    });
    expect(near).toEqual(Object.keys(NEAR_DATABASES));
  });
});

/** The innermost listed room of a file, or its top folder. */
function roomOf(file: string): string {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if (LIMITS.rooms[folder] ?? !folder.includes("/")) return folder;
  }
  return ".";
}

/** The project's own files that a source imports, by static or awaited imports and types. */
function imports(file: string): string[] {
  const found = text(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path = ""]) => sourceOf(file, path));
}

/** The project's own files that are loaded together with a source. */
function valueImports(file: string): string[] {
  const found = text(file).matchAll(/^(?:import|export) (?!type )[^;]*?"(\.[^"]+)";/gm);
  return [...found].map(([, path = ""]) => sourceOf(file, path));
}

/** The source that a file imports as `path`. */
function sourceOf(file: string, path: string): string {
  const source = normalize(join(dirname(file), path));
  const written = [source.replace(/\.js$/, ".ts"), source.replace(/\.js$/, ".tsx")];
  return written.find((each) => existsSync(each)) ?? source;
}

/** Files that import each other, over whatever way: each is reached from itself. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(file, graph)]));
  const circles = [...graph.keys()].flatMap((file) => {
    const circle = [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file));
    return circle.length > 0 ? [JSON.stringify(circle.toSorted())] : [];
  });
  return [...new Set(circles)].map((circle) => JSON.parse(circle) as string[]);
}

function reachedFrom(file: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(graph.get(file));
  for (const each of reached) for (const next of graph.get(each) ?? []) reached.add(next);
  return reached;
}
