import type { ToolCall } from "@langchain/core/messages/tool";
import { wordsOf } from "../../plans/grounding/sources.js";
import type { PlannedCall } from "../../plans/program/progress.js";
import { referencesIn } from "../../plans/references.js";
import { flowRulesOf } from "../../workspace/flowRules.js";
import { runWorkspace } from "../../workspace/workspace.js";
import type { Context } from "../../state/context.js";
import type { GraphState, ProgramState } from "../../state/state.js";
import { labelsOf } from "../../tools/flow/labels.js";
import type { FlowRules } from "../../tools/flow/rules.js";
import {
  type FlowCall,
  type FlowSource,
  type FlowVerdict,
  flowVerdict,
  isSink,
} from "../../tools/flow/verdict.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runBasics } from "./runBasics.js";
import type { ToolOffer } from "./offeredTools.js";
import { toolsCalled } from "../../state/calls.js";

/** Where the values of a call come from: places of a program or steps of a plan, by argument. */
type Origins = Readonly<Record<string, readonly string[]>>;

interface Run {
  state: GraphState;
  context: Context;
}

/**
 * What the flow rules of a run say of calls before they are made; calls that nothing is said against are left out.
 * Values are followed where a program or a plan was written before anything was read. Through a model nobody
 * can follow them: what it had read by then has a part in whatever it writes.
 */
export async function flowVerdicts(
  options: Run & { calls: readonly ToolCall[]; offer: ToolOffer },
): Promise<Map<ToolCall, FlowVerdict>> {
  const { state, context, calls, offer } = options;
  const rules = flowRulesOf(context);
  if (!rules) return new Map();
  const judge = await flowJudge({ state, context, rules });
  return new Map(
    calls.flatMap((call): [ToolCall, FlowVerdict][] => {
      const tool = offer.offered.get(call.name) ?? offer.forbidden.get(call.name);
      const verdict = tool && judge({ tool, args: call.args, origins: originsOf(call, state) });
      return verdict ? [[call, verdict]] : [];
    }),
  );
}

/** The same of the calls that a program comes to, by place, before they are a message. */
export async function plannedVerdicts(
  options: Run & {
    program: ProgramState;
    calls: readonly PlannedCall[];
    tools: ReadonlyMap<string, ToolRecord>;
  },
): Promise<Map<string, FlowVerdict>> {
  const { state, program, context, calls, tools } = options;
  const rules = flowRulesOf(context);
  if (!rules) return new Map();
  const judge = await flowJudge({ state: { ...state, program }, context, rules });
  return new Map(
    calls.flatMap(({ place, tool: { name }, args, origins }): [string, FlowVerdict][] => {
      const tool = tools.get(name);
      const verdict = tool && judge({ tool, args, origins });
      return verdict ? [[place, verdict]] : [];
    }),
  );
}

/** What the model is told of a call that rules refuse; undefined for one that a person may be asked about. */
export function refusalText(
  { name }: ToolCall,
  verdict: FlowVerdict | undefined,
): string | undefined {
  if (verdict?.decision !== "refuse") return undefined;
  return `${name} was not called, by the rules of this run: ${verdict.reason}. Do not try it another way: go on without it, and say so in the answer.`;
}

/** Of calls that come to places of a program, what goes into their arguments; nothing where nothing does. */
export function originsByPlace(calls: readonly PlannedCall[]): ProgramState["origins"] {
  const carrying = calls.filter(({ origins }) =>
    Object.values(origins).some((of) => of.length > 0),
  );
  return Object.fromEntries(carrying.map(({ place, origins }) => [place, origins]));
}

/** @param origins undefined for a call that a model has written with whatever it had read in mind */
type Judge = (call: {
  tool: ToolRecord;
  args: Record<string, unknown>;
  origins: Origins | undefined;
}) => FlowVerdict | undefined;

async function flowJudge({ state, context, rules }: Run & { rules: FlowRules }): Promise<Judge> {
  const library = await runWorkspace().library(context);
  const sources = flowSources({ state, library });
  const own = ownWords({ state, context });
  const isOwn = (value: unknown) => value === "" || own.includes(wordsOf(String(value)));
  return ({ tool: record, args, origins }) => {
    const tool = { ...record, ...labelsOf(record, (id) => library.get(id)) };
    if (!isSink(tool, rules)) return undefined;
    const verdict = flowVerdict({ tool, args, isOwn, ...sources.of(origins) }, rules);
    if (verdict?.decision !== "ask" || context.approval !== "none") return verdict;
    return { decision: "refuse", reason: `${verdict.reason}; nobody can be asked in this run` };
  };
}

/** Where the data of a run comes from. */
interface FlowSources {
  /** The labels of a tool, as sources. */
  labelled: (tool: string) => FlowSource[];
  /** What has a part in a call whose values come from there; see {@link FlowCall}. */
  of: (origins: Origins | undefined) => Pick<FlowCall, "read" | "into">;
}

function flowSources({ state, library }: { state: GraphState; library: ToolLibrary }): FlowSources {
  const labelled = sourcesAt(library);
  const placed = placedSources({ state, labelled });
  return {
    labelled,
    of: (origins) => {
      const own = origins ? [] : toolsCalled(state.calls);
      return {
        read: [...new Set([...state.earlierCalls, ...own])].flatMap(labelled),
        into: (argument) => placed(intoArgument(origins ?? {}, argument)),
      };
    },
  };
}

/**
 * Says of tools that tools call why they must not be called. Nobody can be asked in the middle of a call, nor can
 * values be followed through the code of a tool: one that sends data out is not called by a tool that does not say
 * so itself, once data that rules keep in the house has a part in it.
 */
export async function nestedFlowGuard(
  options: Run & { calls: readonly { call: ToolCall; tool: ToolRecord }[] },
): Promise<(tool: ToolRecord) => string | undefined> {
  const { state, context, calls } = options;
  const rules = flowRulesOf(context);
  if (!rules) return () => undefined;
  const library = await runWorkspace().library(context);
  const sources = flowSources({ state, library });
  const flowOf = (tool: ToolRecord) => labelsOf(tool, (id) => library.get(id)).flow ?? [];
  if (calls.some(({ tool }) => flowOf(tool).includes("outward"))) return () => undefined;
  const involved = calls.flatMap(({ call }) => {
    const { read, into } = sources.of(originsOf(call, state));
    return [...read, ...Object.keys(call.args).flatMap(into)];
  });
  return (tool) => {
    const kept = involved.find(({ label }) => rules[label].outward !== "allow");
    if (kept && flowOf(tool).includes("outward"))
      return `${tool.id} sends data out, and what ${kept.tool} gives (${kept.label}) may be in it; nobody can be asked in the middle of a call`;
    involved.push(...sources.labelled(tool.id));
    return undefined;
  };
}

/** What goes into an argument; whatever goes into the call where a repair has given it its name. */
function intoArgument(origins: Origins, argument: string): readonly string[] {
  return origins[argument] ?? Object.values(origins).flat();
}

/** The labels of a tool as sources, each tool looked up once. */
function sourcesAt(library: ToolLibrary): (tool: string) => FlowSource[] {
  const known = new Map<string, FlowSource[]>();
  return (id) => {
    const found = known.get(id) ?? sourcesOf(id, library);
    known.set(id, found);
    return found;
  };
}

function sourcesOf(id: string, library: ToolLibrary): FlowSource[] {
  const tool = library.get(id);
  if (!tool) return [];
  const { flow = [] } = labelsOf(tool, (called) => library.get(called));
  return flow.flatMap((label) => (label === "outward" ? [] : [{ tool: id, label }]));
}

/**
 * The sources of what was given at places. A result holds what its tool brings in, and whatever went into its
 * arguments; what a model has said of a value was told by whatever is in the value.
 */
function placedSources({
  state,
  labelled,
}: {
  state: GraphState;
  labelled: (tool: string) => FlowSource[];
}): (places: readonly string[]) => FlowSource[] {
  const { calls, program } = state;
  const toolOf = new Map(calls.map(({ id, tool }) => [id, tool]));
  const known = new Map<string, FlowSource[]>();
  const sourcesIn = (places: readonly string[]): FlowSource[] => {
    const isTold = places.some((place) => program?.looks[place] !== undefined);
    const found = distinct(places.flatMap(sourcesFrom));
    return isTold ? found.map((source) => ({ ...source, told: true as const })) : found;
  };
  const sourcesFrom = (place: string): FlowSource[] => {
    const before = known.get(place);
    if (before) return before;
    known.set(place, []);
    const id = idAt(place, state);
    const own = labelled((id !== undefined && toolOf.get(id)) || "");
    const into = Object.values(originsAt(place, state)).map(sourcesIn);
    const found = distinct([...own, ...into.flat()]);
    known.set(place, found);
    return found;
  };
  return sourcesIn;
}

function distinct(sources: readonly FlowSource[]): FlowSource[] {
  return [...new Map(sources.map((one) => [`${one.label} ${one.told} ${one.tool}`, one])).values()];
}

/** What goes into the arguments of a call of a program or a plan; undefined for one of the model's own. */
function originsOf({ id = "" }: ToolCall, state: GraphState): Origins | undefined {
  const { program, plan } = state;
  const step = plan?.callIds.indexOf(id) ?? -1;
  if (step >= 0) return originsAt(String(step), { ...state, program: null });
  const ids = program ? [program.callIds, program.aheadIds] : [];
  const place = ids.flatMap(Object.entries).find(([, made]) => made === id)?.[0];
  return place === undefined ? undefined : originsAt(place, state);
}

function originsAt(
  place: string,
  { program, plan }: Pick<GraphState, "program" | "plan">,
): Origins {
  if (program) return program.origins[place] ?? {};
  const { args = {} } = plan?.steps[Number(place)] ?? {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      referencesIn(value).map(({ $prev }) => String($prev)),
    ]),
  );
}

function idAt(place: string, { program, plan }: Pick<GraphState, "program" | "plan">) {
  if (program) return program.callIds[place] ?? program.aheadIds[place];
  return plan?.callIds[Number(place)];
}

/** All that the user has said, or has had said to the model, as words. */
function ownWords({ state, context }: Run): string {
  const { request, background = "", earlierTurns } = runBasics({ state, context });
  const said = earlierTurns.filter(({ role }) => role === "user").map(({ text }) => text);
  const texts = [request, background, context.instructions ?? "", ...said];
  return texts.filter(Boolean).map(wordsOf).join("\n");
}
