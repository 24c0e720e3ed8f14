import { isDeepStrictEqual } from "node:util";
import { getConfig } from "@langchain/langgraph";
import { oneLine } from "../../common/errors.js";
import { clipped } from "../../common/text.js";
import { reservationsOf } from "../../plans/grounding/reservations.js";
import { wordsOf } from "../../plans/grounding/sources.js";
import { leavesOf, valueText } from "../../plans/grounding/valueText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import type { Deed, Deeds, Reading } from "../../state/deeds.js";
import type { Settings } from "../../state/settings.js";
import type { Call, GraphState } from "../../state/state.js";
import {
  isOutcomeUnknown,
  OUTCOME_UNKNOWN,
  RECORDED,
} from "../../tools/calls/engine/callOutcome.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { saidEffects } from "../../tools/library/records/effects.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../../home/workspace.js";
import { roundOf } from "../acting/guards.js";
import { wholeResult } from "../kit/stage.js";
import { REJECTED } from "./askDecisions.js";
import { toolsOf } from "./searchFor.js";
import { doneSentence, openSentence } from "./deedSentence.js";
import { offeredTools } from "./offeredTools.js";
import { allTools } from "./toolOffer.js";
import { hasSucceeded } from "../../state/calls.js";
import { type Gap, gapOf, startsPage } from "../../plans/grounding/incompleteness.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import { callInWords } from "./callTexts.js";

/** Set in the `configurable` of the runs of a benchmark, whose tools are often only described: recorded calls count. */
export const COUNTS_RECORDED_KEY = "__tulipgraph_counts_recorded";

/** The receipt of a run so far: what its calls did, from their records alone. */
export async function deedsOf(
  state: GraphState,
  settings: Settings,
  tools: RunTools,
): Promise<Deeds> {
  const calls = await withNestedCalls(state, settings, tools);
  const known = calls.map(wholeResult);
  const writes = calls.filter((call) => isWrite(call, tools) || isOnlyRecorded(call));
  const reads = calls.filter((call) => !writes.includes(call) && !call.refused);
  const deeds = nothingDone([...tools.values()].some(isSaidToWrite));
  const places = new Map(
    Object.entries(state.program?.callIds ?? {}).map(([place, id]) => [id, place]),
  );
  for (const call of writes) {
    const kind = kindOf(call, state, writes);
    const place = places.get(call.id);
    const deed = deedOf(call, { kind, known, tool: tools.get(call.tool) });
    if (kind) deeds[kind].push({ id: call.id, ...(place && { place }), ...deed });
  }
  deeds.notMade.push(
    ...declined(state, { writes, known, tools }),
    ...(await left(state, settings, { known, tools })),
  );
  return { ...deeds, made: [...deeds.made, ...editsMade(state)], read: readIn(reads, state) };
}

export function nothingDone(couldWrite: boolean): Deeds {
  const read = { calls: 0, failed: 0, found: [] };
  return { made: [], failed: [], refused: [], notMade: [], unknown: [], read, couldWrite };
}

/** A write that was made outside the graphs, for a receipt. */
export function madeDeed(call: Pick<Call, "id" | "args" | "result">, tool: ToolRecord): Deed {
  const made = { ...call, tool: tool.id, ms: 0, cost: 0 };
  return { id: call.id, ...deedOf(made, { kind: "made", known: [], tool }) };
}

/** The tools of a run, by id and by the names that a refused call has. */
export type RunTools = ReadonlyMap<string, ToolRecord>;

/** Looks the tools of a run up: those on offer, those that its searches found, and those that it has called. */
export async function toolsOfRun(state: GraphState, settings: Settings): Promise<RunTools> {
  const offered = allTools(await offeredTools(state, settings));
  const library = await runWorkspace().library(settings);
  const called = state.calls.map(({ tool }) => tool);
  const others = library.pick([...new Set([...toolsOf(state.searches), ...called])]);
  const byId = [...others.values(), ...offered.values()].map((tool) => [tool.id, tool] as const);
  return new Map([...offered, ...byId]);
}

/** The calls of a run, with those that its tools made: a saved plan does nothing but call. */
async function withNestedCalls(
  { calls }: GraphState,
  { threadId }: Settings,
  tools: RunTools,
): Promise<Call[]> {
  const nesting = new Set(calls.filter(({ tool }) => mayCall(tools.get(tool))).map(({ id }) => id));
  if (nesting.size === 0 || threadId === undefined) return calls;
  const entries = await runWorkspace().runtime.journal.calls(threadId);
  return calls.flatMap((call): Call[] => {
    const tool = tools.get(call.tool);
    if (!nesting.has(call.id)) return [call];
    const nested = entries.flatMap(({ callId, status, resultJson, ...entry }): Call[] => {
      const isOwn = callId.startsWith(`${call.id}/`) && !callId.includes("/ahead");
      if (!isOwn || entry.effects !== "write" || status === "accepted") return [];
      const error = status === "started" ? OUTCOME_UNKNOWN : entry.error;
      const result: unknown = resultJson === undefined ? undefined : JSON.parse(resultJson);
      const { tool: id, args, ms = 0, cost = 0 } = entry;
      return [
        { id: callId, tool: id, args: isPlainObject(args) ? args : {}, result, error, ms, cost },
      ];
    });
    const isItself = !tool || !isSavedPlan(tool) || call.error !== undefined || call.refused;
    return isItself ? [call, ...nested] : nested;
  });
}

function mayCall(tool: ToolRecord | undefined): boolean {
  if (!tool) return false;
  const { source } = tool;
  if (source.kind === "function") return source.takesContext && source.catalog === undefined;
  return source.kind === "program" || (source.kind === "generated" && source.calls.length > 0);
}

export function isSaidToWrite(tool: ToolRecord | undefined): boolean {
  return tool !== undefined && saidEffects(tool) === "write";
}

/** A tool that is gone counts as writing; a name that no tool has was never called. */
export function isWrite({ tool, refused }: Call, tools: RunTools): boolean {
  const known = tools.get(tool);
  return known ? isSaidToWrite(known) : !refused;
}

type Kind = "made" | "failed" | "refused" | "notMade" | "unknown";

/** What became of a write; undefined if it was made after all. */
function kindOf(call: Call, state: GraphState, writes: readonly Call[]): Kind | undefined {
  const { error, refused } = call;
  if (hasSucceeded(call)) return isOnlyRecorded(call) ? "notMade" : "made";
  if (error !== undefined && isOutcomeUnknown(error)) return "unknown";
  if (isMadeGood(call, state, writes)) return undefined;
  if (!refused) return "failed";
  return error?.startsWith(REJECTED) ? "notMade" : "refused";
}

/**
 * Whether a write was made after all: the same one succeeded, or a later one of its tool, as a model sends it that was
 * told what was wrong. What the request names of the failed one must be in one that was made.
 */
function isMadeGood(call: Call, state: GraphState, writes: readonly Call[]): boolean {
  const made = writes.filter((one) => one.tool === call.tool && hasSucceeded(one));
  if (made.some(({ args }) => isDeepStrictEqual(args, call.args))) return true;
  const at = writes.indexOf(call);
  const round = roundOf(call.id, state);
  const later = made.filter((one) => writes.indexOf(one) > at && roundOf(one.id, state) !== round);
  const asked = wordsOf(state.run.request);
  const given = wordsOf(made.flatMap(({ args }) => leavesOf(args)).join(" "));
  const named = leavesOf(call.args).map((leaf) => wordsOf(String(leaf)));
  return later.length > 0 && named.every((leaf) => !asked.includes(leaf) || given.includes(leaf));
}

/** Its tool has no code: nothing was done, not even looked up. */
function isOnlyRecorded({ result }: Call): boolean {
  return result === RECORDED && !countsRecorded();
}

function countsRecorded(): boolean {
  const config = getConfig() as { configurable?: { [COUNTS_RECORDED_KEY]?: true } } | undefined;
  return config?.configurable?.[COUNTS_RECORDED_KEY] ?? false;
}

const LONGEST_REASON = 300;

function deedOf(
  call: Call,
  options: { kind: Kind | undefined; known: readonly unknown[]; tool: ToolRecord | undefined },
): Omit<Deed, "id" | "place"> {
  const { kind, known, tool } = options;
  const result = wholeResult(call);
  const said = { tool, name: call.tool, args: call.args, result, known };
  const about = { tool: tool?.id ?? call.tool, args: briefArgs(call.args) };
  if (kind !== "made") {
    const why = result === RECORDED ? ONLY_DESCRIBED : oneLine(call.error ?? "");
    return { ...about, says: `${openSentence(said)}: ${clipped(why, LONGEST_REASON)}` };
  }
  const done = doneSentence(said);
  // "Scheduled mail" says itself that it is scheduled.
  const isSaid = (value: string) => done.toLowerCase().startsWith(value.toLowerCase());
  const but = reservationsOf(result, { name: tool?.name ?? call.tool, args: call.args })
    .filter(({ isUsual, values }) => !(isUsual && values.some(isSaid)))
    .map(({ text }) => text)
    .join(", ");
  if (!but) return { ...about, says: done };
  return { ...about, says: `${openSentence(said)}: made, but ${but}`, but };
}

const ONLY_DESCRIBED = "only recorded, because the tool is only described";

const LONGEST_ARGUMENT = 200;

function briefArgs(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const text = JSON.stringify(value) ?? "";
      return [name, text.length > LONGEST_ARGUMENT ? clipped(text, LONGEST_ARGUMENT) : value];
    }),
  );
}

/** The writes that a person took out of a program or rejected, unless they were made after all. */
function declined(
  { program }: GraphState,
  options: { writes: readonly Call[]; known: readonly unknown[]; tools: RunTools },
): Deed[] {
  const { writes, known, tools } = options;
  const open = (program?.declined ?? []).filter(
    ({ tool, args }) =>
      !writes.some((one) => one.tool === tool && isDeepStrictEqual(one.args, args) && !one.error),
  );
  return open.map(({ place, tool, args }) => {
    const says = openSentence({ tool: tools.get(tool), name: tool, args, known });
    return { place, tool, args: briefArgs(args), says: `${says}: a person rejected it` };
  });
}

/** The writes that were left when a program was abandoned after others. */
async function left(
  state: GraphState,
  settings: Settings,
  { known, tools }: { known: readonly unknown[]; tools: RunTools },
): Promise<Deed[]> {
  if (!state.program?.left) return [];
  const { writesLeft } = await import("../programs/followProgram.js");
  const writes = (await writesLeft(state, settings)) ?? [];
  return writes.map(({ place, tool: { id: tool, name }, args }) => {
    const says = openSentence({ tool: tools.get(tool), name, args, known });
    return {
      place,
      tool,
      args: briefArgs(args),
      says: `${says}: left when the program was abandoned`,
    };
  });
}

/** Changes of the tool library are deeds of a run, too. */
function editsMade({ edits }: GraphState): Deed[] {
  return edits.flatMap(({ kind, tool, outcome }): Deed[] => {
    const says = `${{ create: "Created", update: "Changed", delete: "Deleted" }[kind]} the tool ${tool}`;
    return outcome === "done" ? [{ tool: `${kind}_tool`, args: { tool }, says }] : [];
  });
}

/** Look-ups that the receipt tells in brief. */
const MOST_FOUND = 3;

const LONGEST_ASKED = 80;
const LONGEST_FOUND = 240;

/** What the look-ups of a run gave, for its receipt. */
function readIn(reads: readonly Call[], state: GraphState): Deeds["read"] {
  const done = reads.filter(({ error }) => error === undefined);
  const gaps = gapsIn(done);
  return {
    calls: done.length,
    failed: reads.length - done.length,
    found: done.slice(-MOST_FOUND).map((call): Reading => {
      const { id, tool } = call;
      const but = gaps.get(call)?.text;
      const about = relevant(wholeResult(call), `${state.answer} ${state.run.request}`);
      const says = `${callInWords(call, LONGEST_ASKED)}: ${clipped(valueText(about).replaceAll(/\s+/g, " "), LONGEST_FOUND)}`;
      return { id, tool, says: but ? `${says}; incomplete: ${but}` : says, ...(but && { but }) };
    }),
  };
}

/** Of the objects of a list, those that are spoken of, if any are. */
function relevant(result: unknown, said: string): unknown {
  if (!Array.isArray(result)) return result;
  const spoken = result.filter(
    (item) => isPlainObject(item) && Object.values(item).some((leaf) => isNamed(leaf, said)),
  );
  return spoken.length > 0 ? spoken : result;
}

function isNamed(leaf: unknown, said: string): boolean {
  return typeof leaf === "string" && leaf.length > 1 && said.includes(leaf);
}

/**
 * What the look-ups of a run lack. Pages that were read one after the other fill each other's gaps: what counts is the
 * last of them, or how many things all of them gave.
 */
export function gapsIn(reads: readonly Call[]): Map<Call, Gap> {
  const found = reads.map((call) => ({ call, gap: gapOf(wholeResult(call)) }));
  const lacking = found.flatMap(({ call, gap }, at): [Call, Gap][] => {
    if (!gap) return [];
    const isSame = (other: { call: Call }) => listingOf(other.call) === listingOf(call);
    const others = found.filter(isSame);
    const isLast = !found.slice(at + 1).some(isSame);
    const given = others.reduce((sum, other) => sum + (other.gap?.given ?? 0), 0);
    const isFilled = gap.total !== undefined && others.length > 1 && given >= gap.total;
    return isLast && !isFilled ? [[call, gap]] : [];
  });
  return new Map(lacking);
}

/** What is listed: all but the arguments that say where a page starts. */
function listingOf({ tool, args }: Call): string {
  const asked = Object.entries(args).filter(([name]) => !startsPage(name));
  return canonicalJson([tool, Object.fromEntries(asked)]);
}
