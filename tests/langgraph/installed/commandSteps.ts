import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { startChatEndpoint } from "../../fakes/chatEndpoint.js";
import { judgedCalls } from "../../memory/pastCallFixture.js";
import type { Installed } from "./install.js";
import { ROOT } from "../../fakes/langgraphServer.js";

/** What somebody does with the package. Steps may use what those before them have made. */
export type Steps = Record<string, (place: Installed) => Promise<void>>;

export const COMMAND_STEPS: Steps = {
  "answers a request, and shows its thread, its graphs, its models and itself": async (place) => {
    const solved = await place.tulipgraph("solve", "What is 3 times 4?", "--thread", "first");
    expect(solved.stdout).toContain("The result is 12");
    const shown = [
      "threads",
      "threads first",
      "graphs",
      "models",
      "whoami",
      "completion bash",
      "db check",
    ];
    const outcomes = await Promise.all(shown.map((words) => done(place, ...words.split(" "))));
    const [threads, thread, graphs, models, , completion = "", database] = outcomes;
    expect(threads).toContain("first");
    expect(thread).toContain("3 times 4");
    expect(graphs).toContain("cot_tulip");
    expect(models).toMatch(/^solve uses offline:planner, because no API key is set/);
    execFileSync("bash", ["-n"], { input: completion });
    expect(completion).toContain("tulipgraph");
    expect(database).toContain("runs.db: sound");
  },

  "imports the examples by the commands of its documents": async (place) => {
    const commands = exampleCommands(place.examples);
    expect(commands.length).toBeGreaterThan(2);
    await done(place, "tools", "add", "--library", "session", "--description", "Of my own");
    for (const words of commands) expect(await done(place, ...words)).toMatch(/library \w+: \w/);
    const library = ["--library", "temperatures"];
    const call = ["tools", "call", "describe_temperature", '{ "celsius": 31 }', ...library];
    expect(await done(place, ...call)).toBe("hot\n");
    const solve = ["solve", "How does a temperature of 31 degrees Celsius feel?", ...library];
    expect(await done(place, ...solve)).toContain("hot");
  },

  "searches, shows, labels, checks and removes tools of functions": async (place) => {
    const library = ["--library", "desk"];
    expect(await done(place, "tools", "list", ...library)).toContain("move_todo");
    const search = await done(place, "tools", "search", "find the warmest place", ...library);
    expect(search).toMatch(/^warmest_reading/);
    const label = ["tools", "label", "move_todo", "--flow", "private"];
    expect(await done(place, ...label, ...library)).toContain("private");
    expect(await done(place, "tools", "history", "move_todo", ...library)).toContain("version 1");
    const doctor = await place.tulipgraph("tools", "doctor", ...library);
    expect(doctor.stdout).toContain("0 errors");
    await done(place, "tools", "remove", "warmest_reading", ...library);
    expect(await done(place, "tools", "list", ...library)).not.toContain("warmest_reading");
  },

  "asks before it writes, goes on when that is approved, and saves the plan as a tool": async (
    place,
  ) => {
    const library = ["--library", "todos"];
    const how = ["--set", "approval=plan", "--thread", "week"];
    const asked = await place.tulipgraph("solve", "Move todo 1 to 2026-11-27", ...library, ...how);
    expect(asked.code).toBe(3);
    expect(await done(place, "resume", "week", "--approve")).toContain("2026-11-27");
    await done(place, "plans", "save", "week", "--as", "move_first");
    const undone = await place.tulipgraph("undo", "week");
    expect(undone).toMatchObject({ code: 1, stdout: expect.stringContaining("Cannot be undone") });
    expect(await done(place, "tools", "list", ...library)).toContain("move_first");
  },

  "asks a model at an endpoint of OpenAI's kind": async (place) => {
    await askingEndpoint(place, "Hello.", async (model) => {
      const { stdout } = await place.tulipgraph("solve", "Hi", "--graph", "base", ...model);
      expect(stdout).toContain("answered: Hello.");
    });
  },

  "evaluates an agent, reports it, makes tasks of threads, and measures searches": async (
    place,
  ) => {
    const tasks = lines(place, "tasks.jsonl", [
      { id: "hot", query: "How does a temperature of 31 degrees Celsius feel?", answer: "hot" },
      { id: "no such tool", query: "Order a pizza", must_not: "solve" },
    ]);
    const gate = ["--fail-under", "tulip:asAsked=1", "--out", "results"];
    const library = ["--library", "temperatures"];
    const run = await done(place, "eval", "run", "--tasks", tasks, ...library, ...gate);
    expect(run).toMatch(/^tulip +all tasks · 2 tasks +1\.00/m);
    await done(place, "eval", "report", "results");
    expect(readFileSync(join(place.folder, "results/report.html"), "utf8")).toContain("<svg");
    await done(place, "eval", "from-threads", "--out", "kept.jsonl", ...library);
    expect(readFileSync(join(place.folder, "kept.jsonl"), "utf8")).toContain("31 degrees");
    const tools = lines(place, "tools.jsonl", TOOLS);
    const queries = lines(place, "queries.jsonl", [QUERY]);
    const retrieval = ["eval", "retrieval", "--tools", tools, "--queries", queries];
    expect(await done(place, ...retrieval)).toContain("Recall@5");
    const [request, one] = ["Please do thing 3 for me.", ["--library", "one"]];
    await done(place, "tools", "import", lines(place, "one.jsonl", TOOLS.slice(3, 4)), ...one);
    const plan = { thought: "", steps: [{ tool: "tool3", args: {} }], answer: "" };
    await askingEndpoint(place, { request, ...plan, accepted: true, cue: "" }, async (model) => {
      const made = ["--count", "1", "--out", "made.jsonl", ...model];
      expect(await done(place, "eval", "generate", ...one, ...made)).toContain("1 task");
    });
    expect(readFileSync(join(place.folder, "made.jsonl"), "utf8")).toContain(request);
  },

  "keeps past calls, and learns from them and from requests": async (place) => {
    const calls = lines(place, "calls.jsonl", judgedCalls(20));
    expect(await done(place, "memory", "import", calls)).toContain("40 added");
    expect(await done(place, "memory", "list")).toMatch(/calls +40/);
    expect(await done(place, "memory", "export", "out.jsonl")).toContain("40 calls");
    expect(await done(place, "train", "judge")).toContain("classifier");
    expect(await done(place, "memory", "label", "--by", "classifier")).toContain("0 calls judged");
    const things = ["--library", "things"];
    await done(place, "tools", "import", lines(place, "things.jsonl", TOOLS), ...things);
    const pairs = lines(place, "pairs.jsonl", REQUESTS);
    expect(await done(place, "train", "retriever", ...things, "--pairs", pairs)).toContain("saved");
  },
};

const TOOLS = Array.from({ length: 10 }, (_, at) => ({
  id: `tool${at}`,
  name: `tool${at}`,
  description: `does thing ${at}`,
  parameters: { type: "object", properties: {} },
}));

const QUERY = { id: "one", query: "does thing 3", tools: ["tool3"] };

/** Requests for the last tool, by a word that no tool has. */
const REQUESTS = Array.from({ length: 60 }, (_, at) => ({
  query: "zorp",
  tools: ["tool9"],
  template: `template ${at}`,
}));

/** Works with a model at an endpoint that answers everything alike; the words name it. */
async function askingEndpoint(
  place: Installed,
  reply: string | object,
  work: (model: string[]) => Promise<void>,
): Promise<void> {
  const content = typeof reply === "string" ? reply : JSON.stringify(reply);
  const endpoint = await startChatEndpoint(() => ({ content }));
  writeFileSync(join(place.folder, ".env"), `OPENAI_BASE_URL=${endpoint.url}\nOPENAI_API_KEY=x`);
  try {
    await work(["--model", "openai:any"]);
  } finally {
    writeFileSync(join(place.folder, ".env"), "");
    await endpoint.close();
  }
}

/** What a command prints that does what it was asked for. */
export async function done(place: Installed, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.tulipgraph(...words);
  expect({ words, code, said: code === 0 ? "" : stderr }).toEqual({ words, code: 0, said: "" });
  return stdout;
}

/** Writes lines of JSON. @returns the file's name */
function lines(place: Installed, name: string, values: readonly object[]): string {
  const text = values.map((value) => `${JSON.stringify(value)}\n`);
  writeFileSync(join(place.folder, name), text.join(""));
  return name;
}

/** The words of all commands by which README and documents import an example, with the examples where they are. */
function exampleCommands(examples: string): string[][] {
  const pages = ["README.md", "docs/functions.md", "docs/plans.md", "docs/tools.md"];
  const text = pages.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
  const found = [...text.matchAll(/^(?:\$ )?npx tulipgraph (tools \w+ examples\/[^#\n]+)/gm)];
  return found.map(([, words = ""]) =>
    words.trim().replaceAll("examples/", `${examples}/`).split(/\s+/),
  );
}
