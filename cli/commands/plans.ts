import type { CommandForm } from "../command.js";
import { collected, jsonOrText } from "../options.js";
import { clipped } from "../../common/text.js";
import { InvalidSetting, LibraryFailed, oneLine } from "../../common/errors.js";
import { programCalls } from "../../nodes/programs/followProgram.js";
import { functionOf, programFunctions, readingOf } from "../../nodes/programs/programFunctions.js";
import { knowingResults, wholeResult } from "../../nodes/kit/stage.js";
import { codeNames } from "../../common/codeNames.js";
import { type WantedParameter, wordOf } from "../../plans/language/saved/withParameters.js";
import { signatureText } from "../../models/chat/toolLines.js";
import { FRESH_RUN, type Call, type GraphState } from "../../state/state.js";
import { parseSettings } from "../../state/settings.js";
import { type FollowedProgram, planTool } from "../../memory/savedPlans.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { PERSON } from "../../tools/library/records/edits.js";
import type { LibraryView } from "../../tools/library/library.js";
import { isSavedPlan, type SavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { calledTools, type ToolRecord } from "../../tools/tool.js";
import { printJson, printLine } from "../printing/print.js";
import { openLibrary, type CommonOptions } from "../tools/openLibrary.js";
import { findThread, readThread } from "../runs/threads.js";

/** `tulipgraph plans save` */
export const PLANS: CommandForm = {
  about: "Save the plans of runs as tools",
  examples: ["tulipgraph plans save chores --as close_stale_issues --parameter days=30"],
  commands: {
    save: {
      about:
        "Save the program of a thread's last run as a tool. The run must have solved its request",
      args: { "<thread>": "the thread's id" },
      options: {
        "--as <name>": { text: "the tool's name", isRequired: true },
        "--parameter <name=value>": {
          text: "turn a value in the program into a parameter; repeatable",
          read: collected,
        },
        "--description <text>": "what the tool does; searches read it",
        "--replace": "save it as the next version of the plan of that name",
      },
      examples: [
        "tulipgraph plans save chores --as close_stale_issues --parameter days=30",
        'tulipgraph plans save chores --as close_issues_of --parameter "owner=Freya Lund" --description "Close all issues of a person"',
      ],
      run: savePlan,
    },
  },
};

type ThreadPlan = Awaited<ReturnType<typeof openThreadPlan>>;

interface SaveOptions extends CommonOptions {
  /** By default that of the plan's run. */
  as: string;
  parameter?: string[];
  description?: string;
  replace?: boolean;
}

/** In characters, of a description taken from the request. */
const LONGEST_DESCRIPTION = 200;

/** `plans save THREAD --as NAME` */
export async function savePlan(id: string, options: SaveOptions): Promise<void> {
  const { as: name, replace = false, json } = options;
  requireName(name);
  const parameters = (options.parameter ?? []).map(wantedParameter);
  const plan = await openThreadPlan(id, options);
  requireFollowed(plan);
  const { library } = plan;
  const present = library.get(name);
  requireFree(name, library, replace);
  const tool = await planTool(await followedProgram(plan), {
    name,
    parameters,
    description: oneLine(options.description?.trim() || described(plan.request, parameters)),
  });
  if ("problem" in tool)
    throw new InvalidSetting({ setting: `thread ${id}`, problem: tool.problem });
  requireNoCircle(tool, library);
  const { version } = await library.put({
    tool,
    basedOn: present?.version ?? null,
    note: { by: PERSON, why: `saved from thread ${id}: ${oneLine(plan.request)}` },
  });
  if (json) {
    const { description, parameters: schema, effects, source } = tool;
    const calls = calledTools(tool);
    const about = { description, parameters: schema, effects, calls, code: source.code };
    return printJson({ library: library.name, tool: name, version, ...about });
  }
  printLine(`library ${library.name}: ${signatureText(tool)}, version ${version}`);
  printLine(`${tool.description}\n\n${tool.source.code}`);
}

const NAME = /^[A-Za-z_]\w{0,63}$/;

function requireName(name: string): void {
  const isName = NAME.test(name) && codeNames([name]).get(name) === name;
  if (isName && !CONTROL_NAMES.includes(name)) return;
  throw new InvalidSetting({
    setting: "--as",
    problem: `"${clipped(name, 64)}" is not a name for a tool`,
    hint: "Use letters, digits and underscores, as in close_stale_issues",
  });
}

function wantedParameter(text: string): WantedParameter {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined)
    return { name: name.trim(), value: jsonOrText(value) };
  throw new InvalidSetting({
    setting: "--parameter",
    problem: `"${clipped(text, 100)}" names no value`,
    hint: "Write it as NAME=VALUE with a value that stands in the program, for example days=30",
  });
}

/** @throws InvalidSetting for a run that did not succeed, or did more than its program says */
function requireFollowed(plan: ThreadPlan): void {
  const problem = notFollowed(plan);
  if (problem === undefined) return;
  const hint =
    "Only a program that was followed to its end, and has solved its request, can be saved";
  throw new InvalidSetting({ setting: `thread ${plan.thread.id}`, problem, hint });
}

function notFollowed({ thread, state, program, library }: ThreadPlan): string | undefined {
  if (thread.status !== "solved")
    return `its last run has not solved its request (${thread.status})`;
  if (program.left) return `its program was left: ${oneLine(program.left)}`;
  const isChanged =
    program.skipped.length > 0 || program.approved.some(({ instead }) => instead !== undefined);
  if (isChanged) return "a person has changed the writes of its program";
  const own = new Set([...programCalls(program, state).values()].map(({ id }) => id));
  const other = state.calls.find(
    ({ id, tool, refused }) => !refused && !own.has(id) && library.get(tool)?.effects !== "read",
  );
  return other && `it has called ${other.tool} besides its last program`;
}

function requireFree(name: string, library: LibraryView, replace: boolean): void {
  const present = library.get(name);
  if (!present || (replace && isSavedPlan(present))) return;
  throw new LibraryFailed({
    library: library.name,
    problem: `it has a tool "${name}" already`,
    hint: isSavedPlan(present)
      ? "Give the plan another name, or make it the next version with --replace"
      : "Give the plan another name",
  });
}

/** A plan that calls itself, even through others, would never end. */
function requireNoCircle(tool: SavedPlan, library: LibraryView): void {
  const reached = new Set(calledTools(tool));
  for (const id of reached) {
    const called = library.get(id);
    for (const next of called ? calledTools(called) : []) reached.add(next);
  }
  if (!reached.has(tool.id)) return;
  throw new LibraryFailed({
    library: library.name,
    problem: `"${tool.id}" would come to call itself`,
    hint: "Give the plan another name",
  });
}

/** The first sentence of the request, with names of parameters in place of their values. */
function described(request: string, parameters: readonly WantedParameter[]): string {
  const [sentence = ""] = oneLine(request).split(/(?<=[.!?])\s/, 1);
  const generalised = parameters.reduce((text, { name, value }) => {
    const word = wordOf(value);
    return word ? text.replaceAll(word, `{${name}}`) : text;
  }, sentence);
  return clipped(generalised, LONGEST_DESCRIPTION);
}

/**
 * @throws UnknownName for a thread that does not exist
 * @throws InvalidSetting if its last run has no program
 */
async function openThreadPlan(id: string, options: SaveOptions) {
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
  const { library: name = thread.settings["library"] } = options;
  const { embeddings } = thread.settings;
  const library = await openLibrary(parseSettings({ library: name, embeddings }));
  return { thread, request: state.run.request, state, program: state.program, library };
}

/**
 * The program with its tools and the outcomes of its calls.
 *
 * @throws InvalidSetting if it cannot be read with the tools of the library
 */
async function followedProgram(plan: ThreadPlan): Promise<FollowedProgram> {
  const { thread, state, program, library } = plan;
  const { readProgram } = await import("../../plans/language/readProgram.js");
  const groups = library.groups();
  const functions = programFunctions(library.list(), groups);
  const read = readProgram(program.code, readingOf(functions, groups));
  if ("issues" in read) {
    const problem = read.issues.map((issue) => issue.problem).join("; ");
    throw new InvalidSetting({ setting: `thread ${thread.id}`, problem });
  }
  const made = programCalls(program, state);
  const tools = new Map<string, ToolRecord>();
  for (const { name, site } of read.program.calls) {
    const called = madeWith(site, made);
    const tool =
      (called && library.get(called)) || tools.get(name) || functionOf(name, functions, groups);
    if (!tool) {
      throw new InvalidSetting({
        setting: `thread ${thread.id}`,
        problem: `its program calls ${name}, which the library ${library.name} lacks`,
        hint: "Name the library that has its tools with --library; tools of the thread's own: tulipgraph tools add ID --thread THREAD",
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
function madeWith(site: number, made: ReadonlyMap<string, Call>): string | undefined {
  return [...made].find(([place]) => place === `${site}` || place.startsWith(`${site}:`))?.[1].tool;
}

function outcomeOf(call: Call) {
  return call.error === undefined ? { result: wholeResult(call) } : { error: call.error };
}
