import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { type ChatBody, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { type Place, WRITING, useSource, writeTool } from "./homeCommands.js";
import { type Ended, command } from "./homeParties.js";
import { type Users, usersOf } from "./homeUsers.js";
import { linesOf, stopping } from "./lines.js";

/** What became of a home that many used at once. */
export interface Kept {
  commands: number;
  runs: number;
  /** Commands that failed because the disk was full, and said so. */
  full: number;
  /** Files with faults, and whatever met one. */
  damaged: string[];
  /** What was told as done and is not there. */
  lost: string[];
  /** Calls that were made twice. */
  doubled: string[];
  /** Calls of tools that had been removed before. */
  removed: string[];
  /** Changes that a side did not see once they were made. */
  unseen: string[];
  /** Files of databases that something but SQLite has opened. */
  opened: string[];
  errors: string[];
}

export interface HomeCampaign {
  /** A checkout with a build. */
  root: string;
  folder: string;
  seconds: number;
  commandLines: number;
  processes?: number;
  /** A home of an earlier release to begin with. */
  home?: string | undefined;
  /** A built checkout of an earlier release, which everybody uses during the first half. */
  before?: string | undefined;
  /** Megabytes of a disk for the home, which is filled for a while; needs the rights of root. */
  diskMegabytes?: number;
}

/** How long a disk stays full, in milliseconds. */
const FULL_MS = 8_000;

/** Uses one home from a server, a process that keeps libraries open, and some command lines at once. */
export async function homeCampaign(options: HomeCampaign): Promise<Kept> {
  const home = join(options.folder, "home");
  mkdirSync(home);
  if (!options.diskMegabytes) return await useHome(home, options);
  mount(home, options.diskMegabytes);
  try {
    return await useHome(home, options);
  } finally {
    execFileSync("umount", ["--lazy", home]);
  }
}

async function useHome(home: string, options: HomeCampaign): Promise<Kept> {
  const { folder, seconds, commandLines, processes = 1 } = options;
  if (options.home) cpSync(options.home, home, { recursive: true });
  const model = await startChatEndpoint(({ body }) => replyTo(body));
  const opens = join(folder, "opens.txt");
  const hook = join(import.meta.dirname, "../fixtures/oneHome/databaseOpens.mjs");
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_TEST_OPENS: opens,
    // What must not be opened is only promised from this version on.
    NODE_OPTIONS: options.before ? "" : `--import=${hook}`,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "none",
  };
  const use = await usersOf({ root: options.before ?? options.root, env }, processes);
  const kept = nothingYet();
  try {
    const endAt = Date.now() + seconds * 1_000;
    const lines = Array.from({ length: commandLines }, (_, line) =>
      commandLine({ line, folder, use, kept, endAt }),
    );
    const disturb = async () => {
      await sleep(seconds * 400);
      await use.replace({ root: options.root, env });
      await sleep(seconds * 200);
      if (options.diskMegabytes) await fillDisk(home, use);
    };
    await Promise.all([...lines, disturb()]);
    const output = await use.end();
    kept.damaged.push(...(output.match(DAMAGE) ?? []), ...faultsIn(home));
    kept.errors.push(...(output.match(/.*ended by SIG.*/g) ?? []));
    const checked = await command({ root: options.root, env }, ["db", "check"]);
    if (checked.code !== 0) kept.damaged.push(checked.stdout + checked.stderr);
    const noted = linesOf(join(folder, "touched.txt"));
    kept.doubled.push(...noted.filter((line, at) => noted.indexOf(line) < at));
    kept.opened.push(...linesOf(opens));
    return kept;
  } finally {
    await use.end();
    await model.close();
  }
}

function nothingYet(): Kept {
  const counts = { commands: 0, runs: 0, full: 0 };
  const found = { damaged: [], lost: [], doubled: [], removed: [], unseen: [], opened: [] };
  return { ...counts, ...found, errors: [] };
}

function mount(folder: string, megabytes: number): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
}

/** Fills the disk of a home for a while. */
async function fillDisk(home: string, use: Users): Promise<void> {
  const filler = join(home, "filler");
  use.isFull = true;
  for (let size = 1 << 20; size >= 1 << 10; size /= 2) {
    try {
      while (true) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
    } catch {
      // Smaller parts may still fit.
    }
  }
  await sleep(FULL_MS);
  rmSync(filler);
  // What has begun on a full disk may still end with that.
  await sleep(FULL_MS);
  use.isFull = false;
}

const FULL = /is full|disk full|ENOSPC|no space/i;
const DAMAGE = /.*(?:malformed|is damaged|not a database|SQLITE_CORRUPT).*/gi;

/** One command line, which makes a tool, uses and removes it, and does something else that writes, again and again. */
async function commandLine(options: {
  line: number;
  folder: string;
  use: Users;
  kept: Kept;
  endAt: number;
}): Promise<void> {
  const { line, folder, use, kept, endAt } = options;
  const run: Place["run"] = (argv, input) =>
    use.working(async () => {
      const ended = await command(use.programs, argv, input);
      kept.commands += 1;
      kept.damaged.push(...(`${ended.stdout}\n${ended.stderr}`.match(DAMAGE) ?? []));
      return ended;
    });
  const isDone = (ended: Ended) => {
    if (ended.code === 0) return true;
    if (use.isFull && FULL.test(ended.stderr + ended.stdout)) kept.full += 1;
    else if (!use.isFull)
      kept.errors.push(`${ended.argv.join(" ")}: ${ended.stderr}${ended.stdout}`);
    else kept.errors.push(`on a full disk: ${ended.argv.join(" ")}: ${ended.stderr}`);
    return false;
  };
  const library = `own${line}`;
  const sources = new Set<string>();
  for (let round = 0; Date.now() < endAt; round++) {
    const tool = `touch_${line}_${round}`;
    const lose = (what: string) => void kept.lost.push(what);
    const place: Place = { folder, library, tool, run, isDone, sources, lose };
    try {
      await oneRound({ place, use, kept, round, first: 3 * line });
    } catch (error) {
      if (use.isFull) kept.full += 1;
      else kept.errors.push(`${tool}: ${String(error)}`);
    }
  }
}

async function oneRound(options: {
  place: Place;
  use: Users;
  kept: Kept;
  round: number;
  /** Of the commands that write. */
  first: number;
}): Promise<void> {
  const { place, use, kept, round, first } = options;
  const { library, tool, run, isDone } = place;
  const of = ["--library", library];
  if (!isDone(await run(["tools", "import", writeTool(place), ...of]))) return;
  await lookFor({ ...options, isThere: true });
  for (const made of await callAll(options)) {
    if (!made.isDone) kept.errors.push(`${tool} was not called: ${made.said}`);
    else if (!made.isMade && !use.isFull) kept.lost.push(`a call of ${tool}: ${made.said}`);
  }
  const remote = await useSource({ place, round });
  if (remote !== undefined) {
    const used = await use.working(() => use.server.run(`Touch ${remote} x`, library));
    if (!used.includes('"status":"solved"') && !use.isFull) kept.errors.push(`${remote}: ${used}`);
    await use.working(() => use.longUser.ask({ library, tool: remote, args: {} }));
  }
  await WRITING[(round + first) % WRITING.length]?.(place);
  if (!isDone(await run(["tools", "remove", tool, ...of]))) return;
  await lookFor({ ...options, isThere: false });
  for (const made of await callAll(options)) {
    if (made.isMade) kept.removed.push(`${tool}: ${made.said}`);
  }
}

/** Looks from each side whether a tool is there. */
async function lookFor(options: {
  place: Place;
  use: Users;
  kept: Kept;
  isThere: boolean;
}): Promise<void> {
  const { place, use, kept, isThere } = options;
  const { library, tool, run, isDone } = place;
  const list = await run(["tools", "list", "--json", "--library", library]);
  const [server, longUser] = await use.working(() =>
    Promise.all([use.server.tools(library), use.longUser.ask({ library, tool })]),
  );
  const seen = {
    server: server.includes(tool),
    "a new command": !isDone(list) ? isThere : list.stdout.includes(`"id":"${tool}"`),
    "the process with open libraries": longUser.error === undefined && longUser.found === true,
  };
  if (use.isFull) return;
  for (const [side, sees] of Object.entries(seen)) {
    const said = `${side} ${isThere ? "does not see" : "still sees"} ${tool} (${longUser.error ?? ""})`;
    if (sees !== isThere) kept.unseen.push(said);
  }
}

/** Calls a tool from each side. */
async function callAll({ place, use, kept }: { place: Place; use: Users; kept: Kept }) {
  const { folder, library, tool, run } = place;
  const sides: ((token: string) => Promise<{ said: string; isDone: boolean }>)[] = [
    async (token) => {
      const args = JSON.stringify({ token });
      const ended = await run(["tools", "call", tool, args, "--yes", "--library", library]);
      return { said: ended.stdout + ended.stderr, isDone: ended.code === 0 };
    },
    async (token) => {
      const question = { library, tool, args: { token } };
      const said = JSON.stringify(await use.working(() => use.longUser.ask(question)));
      return { said, isDone: said.includes('"status":"success"') };
    },
    async (token) => {
      kept.runs += 1;
      const said = await use.working(() => use.server.run(`Touch ${tool} ${token}`, library));
      return { said, isDone: said.includes('"status":"solved"') };
    },
  ];
  const made = [];
  for (const side of sides) {
    const token = `t${randomUUID().slice(0, 8)}`;
    const { said, isDone } = await side(token);
    const isMade = linesOf(join(folder, "touched.txt")).includes(`${tool} ${token}`);
    // On a full disk, a call may fail.
    made.push({ said, isMade, isDone: isDone || use.isFull });
  }
  return made;
}

/** What the model replies: a call, and the end after its result; or a program. */
function replyTo({ messages = [], tools = [] }: ChatBody): Completion {
  const text = JSON.stringify(messages);
  // The request comes last; saved plans, which are tools, are described by theirs.
  const [, planned = "", at = ""] = [...text.matchAll(/Plan (\w+) (\w+)/g)].at(-1) ?? [];
  if (planned) return { content: `\`\`\`ts\nreturn await ${planned}({ token: "${at}" });\n\`\`\`` };
  if (messages.some(({ role }) => role === "tool")) return stopping();
  const [, wanted = "", token = ""] = /Touch ([\w.]+) (\w+)/.exec(text) ?? [];
  // A source's tool has its own name there, as long as no other has the same.
  const own = wanted.slice(wanted.indexOf(".") + 1);
  const names = tools.map((tool) => String(tool.function["name"]));
  const name = names.find((each) => each === own || each.endsWith(`_${own}`)) ?? wanted;
  const args = wanted.includes(".") ? {} : { token };
  return { calls: [{ id: randomUUID(), name, arguments: args }] };
}

/** What SQLite itself finds wrong in the files of a home that nobody uses any more. */
function faultsIn(home: string): string[] {
  const files = existsSync(home) ? readdirSync(home).filter((name) => name.endsWith(".db")) : [];
  return files.flatMap((name) => {
    const database = new SqliteDatabase(join(home, name));
    try {
      const rows = database.pragma("integrity_check") as { integrity_check: string }[];
      const faults = rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
      return faults.map((fault) => `${name}: ${fault}`);
    } catch (error) {
      return [`${name}: ${String(error)}`];
    } finally {
      database.close();
    }
  });
}
