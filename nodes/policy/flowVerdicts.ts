import type { ToolCall } from "@langchain/core/messages/tool";
import { wordsOf } from "../../plans/grounding/sources.js";
import type { PlannedCall } from "../../plans/language/progress.js";
import { flowRulesOf } from "./flowRulesOf.js";
import { runWorkspace } from "../../home/workspace.js";
import type { Settings } from "../../state/settings.js";
import type { GraphState, ProgramState } from "../../state/state.js";
import { labelsOf } from "../../tools/library/records/labels.js";
import type { FlowRules } from "../../tools/calls/flow/flowRules.js";
import {
  type FlowCall,
  type FlowSource,
  type FlowVerdict,
  flowVerdict,
  isSink,
} from "../../tools/calls/flow/flowVerdict.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runBasics } from "../kit/runBasics.js";
import type { ToolOffer } from "./toolOffer.js";
import { toolsCalled } from "../../state/calls.js";

/** Where a call's values come from: places of a program, by argument. */
type Origins = Readonly<Record<string, readonly string[]>>;

interface Run {
  state: GraphState;
  settings: Settings;
}

/**
 * The flow rules' objections to calls before they are made; calls without any are left out. Values can be
 * traced if a program was written before anything was read. They cannot be traced through a model:
 * everything it has read may affect whatever it writes.
 */
export async function flowVerdicts(
  options: Run & { calls: readonly ToolCall[]; offer: ToolOffer },
): Promise<Map<ToolCall, FlowVerdict>> {
  const { state, settings, calls, offer } = options;
  const rules = flowRulesOf(settings);
  if (!rules) return new Map();
  const judge = await flowJudge({ state, settings, rules });
  return new Map(
    calls.flatMap((call): [ToolCall, FlowVerdict][] => {
      const tool = offer.offered.get(call.name) ?? offer.forbidden.get(call.name);
      const verdict = tool && judge({ tool, args: call.args, origins: originsOf(call, state) });
      return verdict ? [[call, verdict]] : [];
    }),
  );
}

/** The same for the calls a program reaches, by place, before they are a message. */
export async function plannedVerdicts(
  options: Run & {
    program: ProgramState;
    calls: readonly PlannedCall[];
    tools: ReadonlyMap<string, ToolRecord>;
  },
): Promise<Map<string, FlowVerdict>> {
  const { state, program, settings, calls, tools } = options;
  const rules = flowRulesOf(settings);
  if (!rules) return new Map();
  const judge = await flowJudge({ state: { ...state, program }, settings, rules });
  return new Map(
    calls.flatMap(({ place, tool: { name }, args, origins }): [string, FlowVerdict][] => {
      const tool = tools.get(name);
      const verdict = tool && judge({ tool, args, origins });
      return verdict ? [[place, verdict]] : [];
    }),
  );
}

/** What the model is told of a call that the rules refuse; undefined if a person may be asked. */
export function refusalText(
  { name }: ToolCall,
  verdict: FlowVerdict | undefined,
): string | undefined {
  if (verdict?.decision !== "refuse") return undefined;
  return `${name} was not called, because the rules of this run forbid it: ${verdict.reason}. Do not try another way: continue without it, and say so in the answer.`;
}

/** What goes into the arguments of a program's calls, by place; calls without any are left out. */
export function originsByPlace(calls: readonly PlannedCall[]): ProgramState["origins"] {
  const carrying = calls.filter(({ origins }) =>
    Object.values(origins).some((of) => of.length > 0),
  );
  return Object.fromEntries(carrying.map(({ place, origins }) => [place, origins]));
}

/** @param origins undefined for a call the model wrote itself, after all it had read */
type Judge = (call: {
  tool: ToolRecord;
  args: Record<string, unknown>;
  origins: Origins | undefined;
}) => FlowVerdict | undefined;

async function flowJudge({ state, settings, rules }: Run & { rules: FlowRules }): Promise<Judge> {
  const library = await runWorkspace().library(settings);
  const sources = flowSources(state, library);
  const own = ownWords({ state, settings });
  const isOwn = (value: unknown) => value === "" || own.includes(wordsOf(String(value)));
  return ({ tool: record, args, origins }) => {
    const tool = { ...record, ...labelsOf(record, (id) => library.get(id)) };
    if (!isSink(tool, rules)) return undefined;
    const verdict = flowVerdict({ tool, args, isOwn, ...sources.of(origins) }, rules);
    if (verdict?.decision !== "ask" || settings.approval !== "none") return verdict;
    return { decision: "refuse", reason: `${verdict.reason}; nobody can be asked in this run` };
  };
}

function flowSources(state: GraphState, library: LibraryView) {
  const labelled = sourcesAt(library);
  const placed = placedSources(state, labelled);
  return {
    labelled,
    /** What affects a call whose values come from there. */
    of: (origins: Origins | undefined): Pick<FlowCall, "read" | "into"> => {
      const own = origins ? [] : toolsCalled(state.calls);
      return {
        read: [...new Set([...state.earlierCalls, ...own])].flatMap(labelled),
        // Everything that goes into the call, if a repair renamed the argument.
        into: (argument) => placed(origins?.[argument] ?? Object.values(origins ?? {}).flat()),
      };
    },
  };
}

/**
 * Says why a tool must not be called by another tool. In the middle of a call nobody can be asked, and values
 * cannot be traced through a tool's code. So once private data is involved, a tool that does not declare
 * sending data out may not call one that does.
 */
export async function nestedFlowGuard(
  options: Run & { calls: readonly { call: ToolCall; tool: ToolRecord }[] },
): Promise<(tool: ToolRecord) => string | undefined> {
  const { state, settings, calls } = options;
  const rules = flowRulesOf(settings);
  if (!rules) return () => undefined;
  const library = await runWorkspace().library(settings);
  const sources = flowSources(state, library);
  const flowOf = (tool: ToolRecord) => labelsOf(tool, (id) => library.get(id)).flow ?? [];
  if (calls.some(({ tool }) => flowOf(tool).includes("outward"))) return () => undefined;
  const involved = calls.flatMap(({ call }) => {
    const { read, into } = sources.of(originsOf(call, state));
    return [...read, ...Object.keys(call.args).flatMap(into)];
  });
  return (tool) => {
    const kept = involved.find(({ label }) => rules[label].outward !== "allow");
    if (kept && flowOf(tool).includes("outward"))
      return `${tool.id} sends data out, which may include results of ${kept.tool} (${kept.label}); nobody can be asked in the middle of a call, so call it directly`;
    involved.push(...sources.labelled(tool.id));
    return undefined;
  };
}

/** The labels of a tool as sources; each tool is looked up once. */
function sourcesAt(library: LibraryView): (tool: string) => FlowSource[] {
  const known = new Map<string, FlowSource[]>();
  return (id) => {
    const found = known.get(id) ?? sourcesOf(id, library);
    known.set(id, found);
    return found;
  };
}

function sourcesOf(id: string, library: LibraryView): FlowSource[] {
  const tool = library.get(id);
  if (!tool) return [];
  const { flow = [] } = labelsOf(tool, (called) => library.get(called));
  return flow.flatMap((label) => (label === "outward" ? [] : [{ tool: id, label }]));
}

/**
 * The sources of results at places. A result carries what its tool brings in and what went into its arguments;
 * what a model said of a value carries the value's sources.
 */
function placedSources(
  state: GraphState,
  labelled: (tool: string) => FlowSource[],
): (places: readonly string[]) => FlowSource[] {
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
    const id = program?.callIds[place] ?? program?.aheadIds[place];
    const own = labelled((id !== undefined && toolOf.get(id)) || "");
    const into = Object.values(program?.origins[place] ?? {}).map(sourcesIn);
    const found = distinct([...own, ...into.flat()]);
    known.set(place, found);
    return found;
  };
  return sourcesIn;
}

function distinct(sources: readonly FlowSource[]): FlowSource[] {
  return [...new Map(sources.map((one) => [`${one.label} ${one.told} ${one.tool}`, one])).values()];
}

/** What goes into the arguments of a program's call; undefined for the model's own calls. */
function originsOf({ id = "" }: ToolCall, { program }: GraphState): Origins | undefined {
  const ids = program ? [program.callIds, program.aheadIds] : [];
  const place = ids.flatMap(Object.entries).find(([, made]) => made === id)?.[0];
  return place === undefined ? undefined : (program?.origins[place] ?? {});
}

/** All words the user said or had the model told. */
function ownWords({ state, settings }: Run): string {
  const { request, background = "", earlierTurns } = runBasics(state, settings);
  const said = earlierTurns.filter(({ role }) => role === "user").map(({ text }) => text);
  const texts = [request, background, settings.instructions ?? "", ...said];
  return texts.filter(Boolean).map(wordsOf).join("\n");
}
