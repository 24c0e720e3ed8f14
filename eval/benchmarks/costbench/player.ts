import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BenchmarkFailed } from "../../../common/errors.js";
import type { ParametersSchema } from "../../../tools/tool.js";

/** A tool as the repository shows it to a model. */
export interface InterfaceOfTool {
  name: string;
  description: string;
  parameters: ParametersSchema;
}

/** The calls that an agent has made for a query. */
export interface Conversation {
  id: string;
  calls: { tool: string; args: Record<string, unknown> }[];
}

/** What an agent is shown after the calls of a conversation (`play.py`). */
export interface Played {
  task: string;
  TimeInfo: string;
  location_preference: string | null;
  preferences: Record<string, string>;
  /** Since the last call; before the first, the whole prompt. */
  messages: { role: string; content: string }[];
  /** Those that are new or changed since the last call. */
  tools: InterfaceOfTool[];
  gone: string[];
  /** The cheapest chain before any event. */
  path: string[];
  /** Its digits are those of the right answer, after all events so far. */
  target: string;
  scores: PathScores;
}

/** The repository's own scores of a conversation; null where it gives none. */
export interface PathScores {
  /** It counts: the event took place, and the cheapest chain is known. */
  valid: boolean;
  /** The goal was reached. */
  reached: boolean;
  exact: boolean | null;
  edits: number | null;
  normalized: number | null;
  cost: number | null;
  /** Cost of the cheapest chain. */
  least: number | null;
  /** Cost of a chain that takes the cheapest tool for each of its parts. */
  greedy: number | null;
}

/** Name of the world that answers calls. */
export const COSTBENCH_WORLD = "costbench";

/** What a run has come to. */
export type PlayedRun = Pick<Played, "scores" | "target">;

/** The interpreter that runs the repository; it needs Python 3.12 and PyYAML. */
const python = () => process.env["PYTHON"] ?? "python3";

/** Starts the repository's code in its checkout. It keeps this process alive only while it is asked, and ends with it. */
export function openPlayer(folder: string, mode: string) {
  const script = fileURLToPath(new URL("play.py", import.meta.url));
  const child = spawn(python(), [script], { cwd: folder, stdio: "pipe" });
  const parts = [child, ...[child.stdin, child.stdout, child.stderr].map((one) => one as Socket)];
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let said = "";
  const fail = (why: string) => {
    const problem = `${python()} in ${folder}: ${why}`;
    const hint = "It needs Python 3.12 with PyYAML; PYTHON=PATH names another interpreter";
    const failure = new BenchmarkFailed({ benchmark: "costbench", problem, hint });
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-2000)));
  child.stdin.on("error", ({ message }) => fail(message));
  child.on("error", ({ message }) => fail(message));
  child.on("exit", () => fail(said.trim().split("\n").at(-1) ?? "it ended"));
  createInterface(child.stdout).on("line", (line) => {
    waiting.shift()?.resolve(line);
    if (waiting.length === 0) for (const part of parts) part.unref();
  });
  const ask = async (question: object) => {
    for (const part of parts) part.ref();
    const answer = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(question)}\n`);
    return JSON.parse(await answer) as unknown;
  };
  return {
    ids: async () => (await ask({})) as string[],
    play: async (conversation: Conversation) => (await ask({ ...conversation, mode })) as Played,
  };
}
