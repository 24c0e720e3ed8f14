import { callParts } from "../../nodes/shared/callLine.js";
import { InvalidSetting, oneLine } from "../../common/errors.js";
import { programCalls } from "../../nodes/programs/followProgram.js";
import { functionOf, programFunctions } from "../../nodes/programs/programFunctions.js";
import { parametersOf } from "../../plans/language/functions.js";
import type { FollowedProgram } from "../../memory/savedPlans.js";
import { knowingResults, wholeResult } from "../../nodes/shared/wholeResult.js";
import { parseSettings } from "../../state/settings.js";
import { FRESH_RUN, type Call, type GraphState, type ProgramState } from "../../state/state.js";
import type { Thread } from "../../storage/checkpoints.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { openLibrary } from "../tools/openLibrary.js";
import { printJson, printTable } from "../printing/print.js";
import { lineText, printHanging } from "../printing/terminal.js";
import { findThread, readThread } from "./threads.js";

/** The program of a thread's last run. */
export interface ThreadPlan {
  thread: Thread;
  request: string;
  state: GraphState;
  program: ProgramState;
  library: ToolLibrary;
}

/** Options of all commands on plans. The library is that of the plan's run unless another one is named. */
export interface PlanOptions {
  library?: string;
  embeddings?: string;
  json?: boolean;
}

/**
 * @throws UnknownName for a thread that does not exist
 * @throws InvalidSetting if its last run has no program
 */
export async function openThreadPlan(id: string, options: PlanOptions): Promise<ThreadPlan> {
  const thread = await findThread(id);
  const snapshot = await readThread(thread);
  const state = { ...FRESH_RUN, ...snapshot.values } as GraphState;
  if (!state.program) {
    throw new InvalidSetting({
      setting: `thread ${id}`,
      problem: `its last run (${thread.graph}) has written no program`,
      hint: "Plans are programs in the graph tulip",
    });
  }
  const { library: name = thread.settings["library"], embeddings = thread.settings["embeddings"] } =
    options;
  const library = await openLibrary(parseSettings({ library: name, embeddings }));
  return { thread, request: state.run.request, state, program: state.program, library };
}

/**
 * The program with its tools and the outcomes of its calls.
 *
 * @throws InvalidSetting if it cannot be read with the tools of the library
 */
export async function followedProgram(plan: ThreadPlan): Promise<FollowedProgram> {
  const { thread, state, program, library } = plan;
  const { readProgram } = await import("../../plans/language/readProgram.js");
  const functions = programFunctions(new Map(library.list().map((tool) => [tool.name, tool])));
  const read = readProgram(program.code, { functions: parametersOf(functions) });
  if ("issues" in read) {
    const problem = read.issues.map((issue) => issue.problem).join("; ");
    throw new InvalidSetting({ setting: `thread ${thread.id}`, problem });
  }
  const made = programCalls(program, state);
  const tools = new Map<string, ToolRecord>();
  for (const { name, site } of read.program.calls) {
    const tool =
      madeWith({ site, made, library }) ?? tools.get(name) ?? functionOf(name, functions);
    if (!tool) {
      throw new InvalidSetting({
        setting: `thread ${thread.id}`,
        problem: `its program calls ${name}, which the library ${library.name} lacks`,
        hint: "Name the library that has its tools with --library; tools of the thread's own: tulipgraph tools promote ID",
      });
    }
    tools.set(name, tool);
  }
  const calls = await knowingResults(
    { calls: [...made.values()] },
    () => new Map([...made].map(([place, call]) => [place, outcomeOf(call)])),
  );
  return { program: read.program, tools, calls, today: program.today };
}

/** The tool that was called at a place in the code, whatever its name was then. */
function madeWith(options: {
  site: number;
  made: ReadonlyMap<string, Call>;
  library: ToolLibrary;
}): ToolRecord | undefined {
  const { site, made, library } = options;
  for (const [place, { tool }] of made) {
    if (place === `${site}` || place.startsWith(`${site}:`)) return library.get(tool);
  }
  return undefined;
}

function outcomeOf(call: Call) {
  return call.error === undefined ? { result: wholeResult(call) } : { error: call.error };
}

/** `plans show THREAD` */
export async function showPlan(id: string, options: PlanOptions): Promise<void> {
  const plan = await openThreadPlan(id, options);
  const { thread, request, state, program, library } = plan;
  const calls = [...programCalls(program, state).values()];
  if (options.json) {
    const { code, left } = program;
    const made = calls.map(({ tool, args, error }) => ({ tool, args, error }));
    const { status } = thread;
    printJson({ thread: id, request, status, library: library.name, code, left, calls: made });
    return;
  }
  printHanging({ text: `${thread.status}: ${oneLine(request)}` });
  const lines = program.code.trimEnd().split("\n");
  printTable({ rows: lines.map((line, at) => [String(at + 1).padStart(3), line]) });
  for (const call of calls) printHanging({ label: "calls ", text: lineText(callParts(call)) });
}
