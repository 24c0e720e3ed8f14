import { isDeepStrictEqual } from "node:util";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { wantsTruth } from "../../plans/grounding/valueText.js";
import { fittedArguments } from "../../plans/steps/fitStep.js";
import { type Program } from "../../plans/language/program.js";
import type { Outcome, PlannedCall, ProgramTool, Progress } from "../../plans/language/progress.js";
import { wholeResult } from "../kit/stage.js";
import type { Settings } from "../../state/settings.js";
import type { ApprovedWrite, Call, GraphState, ProgramState } from "../../state/state.js";
import { programRead } from "../../tools/calls/compiler/programs.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { ToolRecord } from "../../tools/tool.js";
import { threadOf } from "../kit/runBasics.js";
import { runWorkspace } from "../../home/workspace.js";
import { functionOf, programOffer, readingOf } from "./programFunctions.js";
import type { ToolOffer } from "../policy/toolOffer.js";
import { hasSucceeded } from "../../state/calls.js";

/** Calls that are counted of a program that makes too many. */
const MOST_COUNTED = 5000;

/** Loaded with the first program, and not looked for again: a program is followed anew after each of its calls. */
let interpreter: Promise<typeof import("../../plans/language/run/interpretProgram.js")> | undefined;

/** The program of a run, with what it may call. */
export interface Read {
  program: Program;
  /** Its tools, by the names it uses. */
  tools: ReadonlyMap<string, ToolRecord>;
  offer: ToolOffer;
}

/** A program's progress: what it is, what it calls and what comes next. */
export interface Followed extends Read {
  progress: Progress;
}

export interface Following {
  program: ProgramState;
  state: GraphState;
  settings: Settings;
  followed: Followed;
}

/**
 * Replays the program of a run from the top with the results so far. The same calls reach the same places at
 * each visit.
 *
 * @returns the problem, if the program can no longer be read with the available tools
 */
export async function followProgram(
  state: GraphState,
  program: ProgramState,
  settings: Settings,
): Promise<Followed | { problem: string }> {
  const read = await readProgramOf(state, program, settings);
  return "problem" in read ? read : await followAgain(read, state, program);
}

/** @returns the problem, if the program can no longer be read with the available tools */
export async function readProgramOf(
  state: GraphState,
  program: ProgramState,
  settings: Settings,
): Promise<Read | { problem: string }> {
  const { offer, functions, groups } = await programOffer(state, settings);
  // As the check has read it, so that it need not be read again.
  const read = await programRead(program.code, readingOf(functions, groups));
  if ("issues" in read) return { problem: read.issues.map(({ problem }) => problem).join("; ") };
  const tools = new Map<string, ToolRecord>();
  for (const { name } of read.program.calls) {
    const tool = functionOf(name, functions, groups);
    if (!tool) return { problem: `there is no tool ${name}` };
    tools.set(name, tool);
  }
  return { program: read.program, tools, offer };
}

/**
 * Like {@link followProgram}, for a program already read, with more results.
 *
 * @param options.ahead with reads made ahead of earlier writes, to see which writes will follow
 */
export async function followAgain(
  read: Read,
  state: GraphState,
  program: ProgramState,
  ahead = false,
): Promise<Followed> {
  const { tools } = read;
  const { interpretProgram } = await (interpreter ??=
    import("../../plans/language/run/interpretProgram.js"));
  const progress = interpretProgram(
    read.program,
    {
      outcomes: outcomesOf(
        ahead ? { ...program, callIds: { ...program.aheadIds, ...program.callIds } } : program,
        state,
      ),
      looks: new Map(Object.entries(program.looks)),
      today: program.today,
      tools: [...tools].map(([name, { id, effects }]): ProgramTool => ({ name, id, effects })),
      ahead,
      asTruth: wantsTruth(state.run.request),
    },
    // The caller checks the run's own limit, because it can say what the program would need.
    { calls: MOST_COUNTED },
  );
  const fitted = (call: PlannedCall): PlannedCall => {
    const tool = tools.get(call.tool.name);
    return tool ? { ...call, args: fittedArguments(tool, call.args) } : call;
  };
  return {
    ...read,
    progress: {
      ...progress,
      calls: progress.calls.map(fitted),
      writes: progress.writes.map(fitted),
    },
  };
}

export function programCalls(
  program: Pick<ProgramState, "callIds">,
  { calls }: Pick<GraphState, "calls">,
) {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return new Map(
    Object.entries(program.callIds).flatMap(([place, id]): [string, Call][] => {
      const call = byId.get(id);
      return call ? [[place, call]] : [];
    }),
  );
}

/** Of these, the calls that wrote. */
export function writesMade(state: GraphState, program: ProgramState, followed: Followed): Call[] {
  const tools = [...followed.tools.values()].filter(({ effects }) => effects === "write");
  const writing = new Set(tools.map(({ id }) => id));
  return [...programCalls(program, state).values()].filter(({ tool }) => writing.has(tool));
}

function outcomesOf(
  program: Pick<ProgramState, "callIds" | "skipped">,
  state: GraphState,
): Map<string, Outcome> {
  const made = [...programCalls(program, state)].map(([place, call]): [string, Outcome] => [
    place,
    call.error === undefined ? { result: wholeResult(call) } : { error: call.error },
  ]);
  const skipped = program.skipped.map((place): [string, Outcome] => [place, { skipped: true }]);
  return new Map([...made, ...skipped]);
}

/** Like {@link followAgain}, to see which writes will follow, as far as they can be known yet. */
export async function followAhead(
  state: GraphState,
  program: ProgramState,
  followed: Followed,
): Promise<Followed> {
  const ahead = await followAgain(followed, state, program, true);
  return ahead.progress.fault ? followed : ahead;
}

type OfRun = Pick<GraphState, "run">;

/** Records that a person has approved writes of a run, on its thread. */
export async function recordApprovals(
  state: OfRun,
  config: LangGraphRunnableConfig,
  writes: readonly ApprovedWrite[],
): Promise<void> {
  await runWorkspace().runtime.journal.approve(runOf(state, config), writes.map(keyOf));
}

/**
 * The state with only those approvals of its program that a person has given to this run of this thread. A copy of a
 * thread has brought others with it, and so has an earlier checkpoint that somebody has gone back to.
 */
export async function withOwnApprovals(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<GraphState> {
  const { program } = state;
  if (!program || program.approved.length === 0) return state;
  const known = await runWorkspace().runtime.journal.approvedWrites(runOf(state, config));
  const approved = program.approved.filter((write) => known.has(keyOf(write)));
  if (approved.length === program.approved.length) return state;
  return { ...state, program: { ...program, approved } };
}

function runOf(state: OfRun, config: LangGraphRunnableConfig) {
  return { threadId: threadOf(state, config), runId: state.run.id };
}

function keyOf({ place, tool, definition, args, instead }: ApprovedWrite): string {
  return sha256(canonicalJson({ place, tool, definition, args, instead }));
}

/** The arguments a person approved for this call; undefined if it was not shown with these, or as another tool. */
export function approvedArgs(
  { approved }: ProgramState,
  { tools }: Pick<Followed, "tools">,
  { place, tool, args }: PlannedCall,
): Record<string, unknown> | undefined {
  const write = approved.find((one) => one.place === place && one.tool === tool.id);
  if (!write || write.definition !== tools.get(tool.name)?.hash) return undefined;
  return isDeepStrictEqual(write.args, args) ? (write.instead ?? write.args) : undefined;
}

/**
 * Whether a person has to approve a call: a write, or a call of a tool that was shown as one and is another by now. A
 * saved plan asks for itself, about each of its calls.
 */
export function isUnapproved(
  program: ProgramState,
  followed: Pick<Followed, "tools">,
  call: PlannedCall,
): boolean {
  const tool = followed.tools.get(call.tool.name);
  if (approvedArgs(program, followed, call) || (tool && isSavedPlan(tool))) return false;
  const wasShown = program.approved.some(({ place }) => place === call.place);
  return wasShown || call.tool.effects === "write";
}

/** Whether a person approved exactly this call. */
export function isApprovedCall(
  program: ProgramState,
  { id, tool, args, definition }: { id: string; tool: string; args: unknown; definition: string },
): boolean {
  const write = program.approved.find(({ place }) => program.callIds[place] === id);
  return (
    write !== undefined &&
    write.tool === tool &&
    write.definition === definition &&
    isDeepStrictEqual(write.instead ?? write.args, args)
  );
}

/**
 * The writes that were left when the program of a run was abandoned after some of them. The program is followed to its
 * end as if what had failed in it had been passed over: the writes that come then must be among those made since, call
 * by call.
 *
 * @returns undefined if they cannot be told
 */
export async function writesLeft(
  state: GraphState,
  settings: Settings,
): Promise<PlannedCall[] | undefined> {
  const { program } = state;
  if (!program?.left) return [];
  const made = programCalls(program, state);
  const failed = [...made].flatMap(([place, { error }]) => (error === undefined ? [] : [place]));
  const passed = { ...program, skipped: [...program.skipped, ...failed] };
  const followed = await followProgram(state, passed, settings);
  if ("problem" in followed) return made.size > 0 ? undefined : [];
  const written = writesMade(state, program, followed);
  if (!written.some(({ error }) => error === undefined)) return [];
  const { progress } = await followAhead(state, passed, followed);
  const { writes, complete, fault, look, need } = progress;
  if (!complete || fault || look || need) return undefined;
  const own = new Set([...made.values()].map(({ id }) => id));
  const since = state.calls.filter((call) => !own.has(call.id) && hasSucceeded(call));
  return writes.filter(
    ({ tool, args }) =>
      !since.some((call) => call.tool === tool.id && isDeepStrictEqual(call.args, args)),
  );
}
