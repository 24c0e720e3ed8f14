import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type LangGraphRunnableConfig, messagesStateReducer } from "@langchain/langgraph";
import { LONGEST_PHRASE, MOST_CALLS } from "../../common/bounds.js";
import { beginning } from "../../common/text.js";
import { isCallFreeFrom } from "../../plans/language/expressionsIn.js";
import { faultText, withValue, type PlannedCall } from "../../plans/language/progress.js";
import {
  type Line,
  type StageChange,
  knowingResults,
  needed,
  stage,
  wholeResult,
} from "../kit/stage.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { openCalls } from "../../state/calls.js";
import type { Call, GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { resultProblem } from "../../tools/calls/engine/schemaCheck.js";
import {
  type Followed,
  type Following,
  type Read,
  approvedArgs,
  followAgain,
  followAhead,
  isUnapproved,
  programCalls,
  readProgramOf,
  withOwnApprovals,
} from "./followProgram.js";
import { callLines, makeCalls } from "../acting/execute.js";
import { originsByPlace, plannedVerdicts } from "../policy/flowVerdicts.js";
import { searchesFor } from "./programFunctions.js";
import { PROGRAM_CALL, endLines, issueLines, leaveProgram } from "./programCalls.js";
import { runWorkspace } from "../../home/workspace.js";
import { awayText } from "../policy/outOfReach.js";
import { nameIn } from "../policy/modelView.js";
import { programAnswer, beyondBounds, nothingServes, toBeWorded } from "./programAnswer.js";
import { plannableTools, writesIn } from "../policy/toolOffer.js";

/** When a visit that makes calls ends, in milliseconds: its calls are then in a checkpoint, and told to whoever watches. */
const VISIT_MS = 1_000;

/**
 * Follows the program of a run as far as it gets without help, and makes its calls under the usual guards; its end is
 * the answer. The model is asked to look at values, a person to approve writes. If it cannot continue, `act` takes
 * over, and nothing is done twice: a visit that is broken off begins anew, and the journal answers the calls it made.
 */
export function runProgram() {
  return stage({ ends: true, lines }, async (given, config): Promise<StateUpdate> => {
    const state = await withOwnApprovals(given, config);
    const settings = readSettings(config);
    const endsAt = performance.now() + VISIT_MS;
    const begun = needed(state.program?.left ? null : state.program, WANTED);
    const read = await readProgramOf(state, begun, settings);
    if ("problem" in read) return leaveProgram(begun, read.problem);
    let made: StateUpdate = {};
    while (true) {
      const now = withUpdate(state, made);
      made = bothUpdates(made, await knowingResults(now, () => nextStep(now, settings, read)));
      const called = await callsMade(withUpdate(state, made), config);
      // The run has ended, the program waits for a model or a person, or it is abandoned.
      if (!called) return made;
      made = bothUpdates(made, called);
      config.signal?.throwIfAborted();
      // With `remember`, each call is judged before the next.
      if (settings.remember || performance.now() > endsAt) return made;
    }
  });
}

const WANTED = { stage: "runProgram", what: "a program to follow" };

function withUpdate(state: GraphState, update: StateUpdate): GraphState {
  const messages = messagesStateReducer(state.messages, messagesOf(update));
  return { ...state, ...update, messages };
}

function bothUpdates(one: StateUpdate, other: StateUpdate): StateUpdate {
  const messages = [one, other].flatMap(messagesOf);
  return { ...one, ...other, ...(messages.length > 0 && { messages }) };
}

/** Our stages give lists of messages. */
function messagesOf({ messages = [] }: StateUpdate): BaseMessage[] {
  return messages as BaseMessage[];
}

/** Makes the open calls; undefined if there are none, or a person has to be asked about them. */
async function callsMade(state: GraphState, config: LangGraphRunnableConfig) {
  const { reply, calls } = openCalls(state);
  if (calls.length === 0) return undefined;
  return await makeCalls({ state, config, reply, calls, unasked: true });
}

/** The next calls as an agent message, or what else comes next. */
async function nextStep(state: GraphState, settings: Settings, read: Read): Promise<StateUpdate> {
  const begun: ProgramState = { ...needed(state.program, WANTED), next: "run" };
  const { program, followed } = await withCallsMade(state, begun, read);
  const { calls, end, look, need, fault } = followed.progress;
  const doubt = doubtfulResult(program, state, followed);
  if (doubt) return leaveProgram(program, doubt);
  const excess = beyondBounds(state, program, followed);
  if (excess) return { program, ...excess };
  if (calls.length > 0) return nextCalls({ program, state, settings, followed });
  if (end) return await programAnswer({ program, state, settings, followed, end });
  if (look) return { program: { ...program, next: "look" } };
  if (need) return searchFor({ program, state, settings, followed, phrase: need.phrase });
  if (!fault) return leaveProgram(program, "it does not come to an end");
  const made = [...programCalls(program, state).values()];
  // All was called, and only what was to be made of it has failed.
  const isCalled = isCallFreeFrom(read.program, fault.line) && made.every(({ error }) => !error);
  return isCalled && !program.undo
    ? toBeWorded({ program, state }, faultText(fault))
    : leaveProgram(program, faultText(fault));
}

function lines(change: StageChange): Line[] {
  return [...callLines(change), ...issueLines(change.change.program), ...endLines(change)];
}

/**
 * Reuses what earlier programs of the run did: their reads hold as long as nothing was written since, and their
 * writes are done.
 */
async function withCallsMade(
  state: GraphState,
  given: ProgramState,
  read: Read,
): Promise<{ program: ProgramState; followed: Followed }> {
  let program = given;
  let followed = await followAgain(read, state, program);
  while (true) {
    const { calls } = followed.progress;
    const made = calls.flatMap((call): [string, string][] => {
      const earlier = earlierCall({ program, state, followed }, call);
      return earlier ? [[call.place, earlier.id]] : [];
    });
    const [first] = made;
    if (!first) return { program, followed };
    const writes = calls.some(({ tool }) => tool.effects === "write");
    const taken = writes ? [first] : made;
    program = {
      ...program,
      callIds: { ...program.callIds, ...Object.fromEntries(taken) },
      origins: { ...program.origins, ...originsByPlace(calls) },
    };
    followed = await followAgain(followed, state, program);
  }
}

/** An equal call of an earlier program, if its result still holds. */
function earlierCall(
  { program, state, followed }: Omit<Following, "settings">,
  call: PlannedCall,
): Call | undefined {
  if (program.generation === 0) return undefined;
  const own = callPrefix(state.run.id, program);
  const taken = new Set(Object.values(program.callIds));
  const isSame = ({ id, tool, args, error }: Call) =>
    error === undefined &&
    !id.startsWith(own) &&
    tool === call.tool.id &&
    isDeepStrictEqual(args, call.args);
  if (call.tool.effects === "write")
    return state.calls.find((one) => isSame(one) && !taken.has(one.id));
  const isWrite = writesIn(followed.offer);
  const lastWrite = state.calls.findLastIndex(({ tool, refused }) => !refused && isWrite(tool));
  return state.calls.slice(lastWrite + 1).find(isSame);
}

/** Results known to be as declared, with the hash of their tool: they do not change. */
const sound = new WeakMap<object, string>();

/** Why the result of a call cannot be relied on; undefined if all can. */
function doubtfulResult(
  program: ProgramState,
  state: GraphState,
  followed: Followed,
): string | undefined {
  const records = new Map([...followed.tools.values()].map((record) => [record.id, record]));
  for (const call of programCalls(program, state).values()) {
    const record = records.get(call.tool);
    if (!record || call.error !== undefined) continue;
    const result = wholeResult(call);
    const isThing = typeof result === "object" && result !== null;
    if (isThing && sound.get(result) === record.hash) continue;
    const problem = resultProblem(record, result);
    if (problem)
      return withValue(`the result of ${call.tool} cannot be relied on: ${problem}`, result);
    if (isThing) sound.set(result, record.hash);
  }
  return undefined;
}

/**
 * The calls due next. Before a write that needs approval, the reads after it are made ahead so that all writes
 * can be shown at once.
 */
async function nextCalls(following: Following): Promise<StateUpdate> {
  const { program, state, followed } = following;
  const { calls } = followed.progress;
  const open = calls.filter((call) => isUnapproved(program, followed, call));
  if (!(await isAskedAbout(following, open))) return callsFor(following, calls, "callIds");
  const ahead = await followAhead(state, program, followed);
  const excess = beyondBounds(state, program, ahead);
  if (excess) return { program, ...excess };
  const reads = ahead.progress.calls.filter(
    (call) => call.tool.effects === "read" && !isUnapproved(program, followed, call),
  );
  if (reads.length > 0) return callsFor(following, reads, "aheadIds");
  return { program: { ...program, next: "approve" } };
}

/** Whether writes of a program need approval before they are made. */
async function isAskedAbout(following: Following, open: readonly PlannedCall[]): Promise<boolean> {
  const { settings, followed } = following;
  if (open.length === 0 || settings.approval === "plan") return open.length > 0;
  // Whoever wants to be asked nothing is asked about what would overwrite somebody else's change.
  const { undo } = following.program;
  if (undo)
    return settings.approval !== "none" || open.some(({ place }) => undo.steps[place]?.doubt);
  const verdicts = await plannedVerdicts({ ...following, calls: open, tools: followed.tools });
  return [...verdicts.values()].some(({ decision }) => decision === "ask");
}

/** @param into where the ids of the calls are noted */
function callsFor(
  { program, state, followed }: Following,
  calls: readonly PlannedCall[],
  into: "callIds" | "aheadIds",
): StateUpdate {
  const nameOf = nameIn(plannableTools(followed.offer));
  const own = callPrefix(state.run.id, program);
  // Reads are made ahead again each time a person is asked, because by then they may give something else.
  const prefix = into === "aheadIds" ? `${own}a${program.approved.length}_` : own;
  const named = calls
    .slice(0, MOST_CALLS)
    .map((call) => ({ call, id: callId(prefix, call.place) }));
  const message = new AIMessage({
    id: randomUUID(),
    content: "",
    tool_calls: named.map(({ call, id }) => ({
      id,
      name: nameOf(call.tool.id),
      args: approvedArgs(program, followed, call) ?? call.args,
      type: "tool_call",
    })),
  });
  const made = Object.fromEntries(named.map(({ call, id }) => [call.place, id]));
  const origins = { ...program.origins, ...originsByPlace(named.map(({ call }) => call)) };
  return {
    messages: [message],
    program: { ...program, origins, [into]: { ...program[into], ...made } },
  };
}

const LONGEST_ID = 40;

const RUN_LENGTH = 20;

function callPrefix(runId: string, program: ProgramState): string {
  return `${PROGRAM_CALL}${runId.replaceAll("-", "").slice(0, RUN_LENGTH)}_${program.generation}_`;
}

/** The same at every visit, so the journal recognises the call. */
function callId(prefix: string, place: string): string {
  const plain = place.replaceAll(":", "_");
  const left = LONGEST_ID - prefix.length;
  if (/^\w+$/.test(plain) && plain.length <= left) return `${prefix}${plain}`;
  return `${prefix}${createHash("sha256").update(place).digest("hex").slice(0, left)}`;
}

/** Queues searches for what no offered tool does, to complete the program; gives up what was searched for before. */
async function searchFor(options: Following & { phrase: string }): Promise<StateUpdate> {
  const { program, state, settings, followed } = options;
  const phrase = beginning(options.phrase, LONGEST_PHRASE);
  const needs = [...new Set([...program.needs, phrase])];
  const missing = { ...program, needs };
  const isSought = state.subtasks.some(({ text }) => text === phrase);
  if (isSought && state.calls.length === 0 && followed.tools.size === 0) {
    const library = await runWorkspace().library(settings);
    const away = await awayText(library, { ...settings, request: state.run.request });
    return nothingServes(missing, state, [phrase], away);
  }
  if (isSought) return leaveProgram(missing, `no tool was found for this: ${phrase}`);
  const { subtasks, queue } = searchesFor(state, settings, [phrase]);
  if (queue.length === 0) return leaveProgram(missing, `no tool is on offer for this: ${phrase}`);
  return { subtasks, queue, program: { ...missing, lacking: [...program.lacking, phrase] } };
}
