import { randomUUID } from "node:crypto";
import type { CommandForm } from "../command.js";
import { InvalidSetting } from "../../common/errors.js";
import { NOT_IN_FILE } from "../exit.js";
import { DEFAULT_GRAPH, GRAPH_IDS } from "../../graphs/index.js";
import { parseSettings } from "../../state/settings.js";
import { RUN_OPTIONS, type RunOptions, settingsHelp, settingsOf, withModel } from "../options.js";
import { loadReader } from "../../tools/calls/compiler/programs.js";

type SolveOptions = RunOptions & { graph: string; thread?: string };

/** Characters of the name of a thread. */
const LONGEST_THREAD = 200;

/** Whether this runs from the one file of `cli/start.ts`. */
const isOneFile = (import.meta as { isOneFile?: true }).isOneFile === true;

/** `tulipgraph solve "REQUEST"` */
export const SOLVE: CommandForm = {
  about: "Solve a request with the tools of a library",
  args: { "<request...>": "what to do, in plain words" },
  options: {
    "--graph <graph>": {
      text: "the graph to run (see tulipgraph graphs), or a file with your own wiring",
      usual: DEFAULT_GRAPH,
    },
    "--thread <thread>": "continue this conversation, or start one under this name",
    // A run's budget is fixed when it begins, so `resume` does not have this option.
    "--budget <amount>": "spending limit: 20 (units of calls) or '$0.05'",
    ...RUN_OPTIONS,
  },
  moreHelp: settingsHelp,
  examples: [
    'tulipgraph solve "What is 45342 * 23487 + 32478?"',
    'tulipgraph solve "How does a temperature of 31 degrees Celsius feel?" --library ./examples/temperatures.ts',
    'tulipgraph solve "…" --model openai:gpt-4.1-mini --json',
  ],
  run: (words: string[], options: SolveOptions) => solve(words.join(" ").trim(), options),
};

async function solve(request: string, options: SolveOptions): Promise<number> {
  if (!request) {
    throw new InvalidSetting({
      setting: "request",
      problem: "is empty",
      hint: 'Say what to do, for example: tulipgraph solve "What is 6 * 7?"',
    });
  }
  const threadId = options.thread ?? randomUUID();
  const wrong = threadId.trim() === "" ? "is empty" : "is too long";
  if (threadId.trim() === "" || threadId.length > LONGEST_THREAD) {
    const hint = `Give it a name of at most ${LONGEST_THREAD} characters`;
    throw new InvalidSetting({ setting: "--thread", problem: wrong, hint });
  }
  // Before a model is looked for, which tells what it sees.
  if (isOneFile && !isOurs(options.graph)) return NOT_IN_FILE;
  // The compiler takes as long to load as all else, which loads meanwhile; this graph always asks for a program.
  const readsPrograms = options.graph === DEFAULT_GRAPH;
  if (readsPrograms && !isOneFile) loadReader();
  const { library, ...others } = options;
  const { settings: chosen, modelWhy } = await withModel(await settingsOf(others));
  if (isOneFile && !(await isMadeHere(chosen))) return NOT_IN_FILE;
  if (readsPrograms) loadReader();
  const { findGraph } = await import("../../graphs/ownGraphs.js");
  const graph = findGraph(options.graph);
  const settings = { ...chosen, ...(await settingsOf({ library })) };
  const { runThread } = await import("../runs/runThread.js");
  const { holdingThread } = await import("../runs/threads.js");
  return await holdingThread(threadId, (hold) =>
    runThread({ threadId, hold, graph, settings, modelWhy, input: { request }, output: options }),
  );
}

/** Whether a run takes no wiring and no vector store of somebody else: two copies of LangChain do not always know each other's objects. */
function isOurs(graph: string): boolean {
  return GRAPH_IDS.some((id) => id === graph) && !process.env["TULIPGRAPH_VECTOR_STORE"];
}

/** Whether its models are made by our own code, for the same reason. */
async function isMadeHere(given: Record<string, unknown>): Promise<boolean> {
  const hosted = await import("../../models/hosted.js");
  const { model, reflectModel = model } = parseSettings(given);
  return [model, reflectModel].every(hosted.isMadeHere);
}
