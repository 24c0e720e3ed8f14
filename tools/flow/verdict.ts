import { leavesOf } from "../../plans/leaves.js";
import type { ToolDefinition } from "../tool.js";
import { isChosen, isFreeText } from "./freeText.js";
import type { FlowDecision, FlowFrom, FlowRules, FlowTo } from "./rules.js";

/** A tool with a label whose result has a part in a call. */
export interface FlowSource {
  /** Id of the tool. */
  tool: string;
  label: FlowFrom;
  /** A model has read the result and said what is in the call, so that its form tells nothing. */
  told?: true;
}

/** A call that is about to be made, and what has a part in it. */
export interface FlowCall {
  tool: Pick<ToolDefinition, "effects" | "flow" | "sends" | "parameters">;
  args: Record<string, unknown>;
  /** What the model had read by the time it wrote the call as a whole. */
  read: readonly FlowSource[];
  /** What went into an argument, as far as values were followed. */
  into: (argument: string) => readonly FlowSource[];
  /** Whether a value stands in what the user has said: it is the user's, wherever else it stands. */
  isOwn: (value: unknown) => boolean;
}

/** Why a call is not simply made. */
export interface FlowVerdict {
  decision: Exclude<FlowDecision, "allow">;
  /** What would go where, as one clause. */
  reason: string;
}

/**
 * What rules say of a call before it is made; undefined where they say nothing against it.
 *
 * What a model writes after it has read a text may be the text's doing, whatever its form: text from outside counts
 * against each write from then on, and private data against each value that goes out and that is not the user's.
 * In a plan, written before anything was read, values are followed: private data counts in any form, and
 * text from outside where it is text.
 */
export function flowVerdict(call: FlowCall, rules: FlowRules): FlowVerdict | undefined {
  const found = FLOWS.flatMap(([from, to]): FlowVerdict[] => {
    const decision = rules[from][to];
    if (decision === "allow" || !goesTo(to, call.tool)) return [];
    const way = wayOf({ from, to, call });
    return way === undefined ? [] : [{ decision, reason: `${way}, ${WHERE[to]}` }];
  });
  return found.find(({ decision }) => decision === "refuse") ?? found[0];
}

/** Whether rules can have anything against calls of a tool. */
export function isSink(tool: FlowCall["tool"], rules: FlowRules): boolean {
  return FLOWS.some(([from, to]) => rules[from][to] !== "allow" && goesTo(to, tool));
}

/** From the worst on. */
const FLOWS = [
  ["private", "outward"],
  ["foreign", "write"],
  ["private", "write"],
  ["foreign", "outward"],
] as const satisfies [FlowFrom, FlowTo][];

const WHAT: Record<FlowFrom, string> = {
  private: "private data",
  foreign: "text from outside",
};

const WHERE: Record<FlowTo, string> = {
  outward: "and the call sends data out",
  write: "and the call writes",
};

function goesTo(to: FlowTo, { effects, flow = [] }: FlowCall["tool"]): boolean {
  return to === "write" ? effects === "write" : flow.includes("outward");
}

/** The way that data takes into a call; undefined for none. */
function wayOf({
  from,
  to,
  call,
}: {
  from: FlowFrom;
  to: FlowTo;
  call: FlowCall;
}): string | undefined {
  const { tool, read } = call;
  // What such a tool reads itself leaves with the same call.
  if (from === "private" && to === "outward" && tool.flow?.includes("private"))
    return "the tool itself reads private data";
  const names = to === "outward" ? leaving(call) : Object.keys(call.args);
  const seen = read.filter(({ label }) => label === from);
  const [first] = seen;
  // Which call is made, and with what, may be what the text from outside wants.
  if (first && from === "foreign")
    return `the model had read ${WHAT[from]} (${toolsOf(seen)}) before it wrote this call`;
  const doubtful = names.find((name) => first && leaves(call, name).some((leaf) => isSaid(leaf)));
  if (doubtful !== undefined)
    return `the model had read ${WHAT[from]} (${toolsOf(seen)}) before it wrote \`${doubtful}\``;
  for (const name of names) {
    const sources = call.into(name).filter(({ label }) => label === from);
    const carrying = sources.filter((source) => carries({ source, name, call }));
    if (carrying.length > 0) return `\`${name}\` holds ${WHAT[from]} (${toolsOf(carrying)})`;
  }
  return undefined;
}

function carries(options: { source: FlowSource; name: string; call: FlowCall }): boolean {
  const { source, name, call } = options;
  const values = leaves(call, name);
  if (source.label === "private") return values.length > 0;
  if (isChosen(call.tool.parameters.properties[name])) return false;
  // Which of the user's own values it is may be what the text from outside wants.
  return source.told ? leavesOf(call.args[name]).some(isSaid) : values.some(isFreeText);
}

/** The arguments that leave; all of them where a name that is given is none of the tool's. */
function leaving({ tool: { sends, parameters }, args }: FlowCall): string[] {
  const isKnown = sends?.every((name) => name in parameters.properties);
  return Object.keys(args).filter((name) => !isKnown || sends?.includes(name));
}

/** The values in an argument that are not the user's own. */
function leaves({ args, isOwn }: FlowCall, name: string): unknown[] {
  return leavesOf(args[name]).filter((leaf) => !isOwn(leaf));
}

/** True, false and nothing are no words of anybody. */
function isSaid(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : typeof value === "number";
}

function toolsOf(sources: readonly FlowSource[]): string {
  return [...new Set(sources.map(({ tool }) => tool))].join(", ");
}
