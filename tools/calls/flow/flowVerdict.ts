import { leavesOf } from "../../../plans/grounding/valueText.js";
import { isPlainObject } from "../../../plans/steps/references.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../tool.js";
import type { FlowDecision, FlowFrom, FlowRules, FlowTo } from "./flowRules.js";

/** A labelled tool whose result went into a call. */
export interface FlowSource {
  /** Id of the tool. */
  tool: string;
  label: FlowFrom;
  /** A model read the result and wrote the call, so the form of a value says nothing about its origin. */
  told?: true;
}

/** A call about to be made, and what went into it. */
export interface FlowCall {
  tool: Pick<ToolDefinition, "effects" | "flow" | "sends" | "parameters">;
  args: Record<string, unknown>;
  /** What the model had read when it wrote the call. */
  read: readonly FlowSource[];
  /** What went into an argument, as far as values were traced. */
  into: (argument: string) => readonly FlowSource[];
  /** Whether the user said a value: then it is the user's, even if it also occurs elsewhere. */
  isOwn: (value: unknown) => boolean;
}

/** Why a call is asked about or refused. */
export interface FlowVerdict {
  decision: Exclude<FlowDecision, "allow">;
  /** What would go where, as one clause. */
  reason: string;
}

/**
 * What the rules say against a call before it is made; undefined if nothing.
 *
 * Once a model has read a text, anything it writes may be the text's doing: text from outside counts against every
 * later write, and private data against every outgoing value that is not the user's. A plan is written before anything
 * is read, so its values are traced instead: private data counts in any form, and text from outside only as free text.
 */
export function flowVerdict(call: FlowCall, rules: FlowRules): FlowVerdict | undefined {
  const found = FLOWS.flatMap(([from, to]): FlowVerdict[] => {
    const decision = rules[from][to];
    if (decision === "allow" || !goesTo(to, call.tool)) return [];
    const way = wayOf(from, to, call);
    return way === undefined ? [] : [{ decision, reason: `${way}, ${WHERE[to]}` }];
  });
  return found.find(({ decision }) => decision === "refuse") ?? found[0];
}

/** Whether the rules can object to calls of a tool. */
export function isSink(tool: FlowCall["tool"], rules: FlowRules): boolean {
  return FLOWS.some(([from, to]) => rules[from][to] !== "allow" && goesTo(to, tool));
}

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

/** How data gets into a call, in words; undefined if it does not. */
function wayOf(from: FlowFrom, to: FlowTo, call: FlowCall): string | undefined {
  const { tool, read } = call;
  // What such a tool reads itself leaves in the same call.
  if (from === "private" && to === "outward" && tool.flow?.includes("private"))
    return "the tool itself reads private data";
  const names = to === "outward" ? leaving(call) : Object.keys(call.args);
  const seen = read.filter(({ label }) => label === from);
  const [first] = seen;
  // The text from outside may have chosen the call and its arguments.
  if (first && from === "foreign")
    return `the model had read ${WHAT[from]} (${toolsOf(seen)}) before it wrote this call`;
  const doubtful = names.find((name) => first && leaves(call, name).some(isSaid));
  if (doubtful !== undefined)
    return `the model had read ${WHAT[from]} (${toolsOf(seen)}) before it wrote \`${doubtful}\``;
  for (const name of names) {
    const sources = call.into(name).filter(({ label }) => label === from);
    const carrying = sources.filter((source) => carries(source, name, call));
    if (carrying.length > 0) return `\`${name}\` holds ${WHAT[from]} (${toolsOf(carrying)})`;
  }
  return undefined;
}

function carries(source: FlowSource, name: string, call: FlowCall): boolean {
  const values = leaves(call, name);
  if (source.label === "private") return values.length > 0;
  if (isChosen(call.tool.parameters.properties[name])) return false;
  // The text from outside may have chosen among the user's own values.
  return source.told ? leavesOf(call.args[name]).some(isSaid) : values.some(isFreeText);
}

/** Whether a parameter only takes values that cannot carry a message: enums, numbers, booleans. */
function isChosen(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  const { type, items } = schema;
  if (Array.isArray(schema["enum"]) || "const" in schema) return true;
  if (type === "array") return isPlainObject(items) && isChosen(items);
  return type === "number" || type === "integer" || type === "boolean";
}

/** Whether a value can carry a message: a text that is not an id, a date, an address or a single word. */
function isFreeText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const text = value.trim();
  return (/\s/.test(text) || text.length > LONGEST_TOKEN) && !POINT_IN_TIME.test(text);
}

/** Ids, addresses, file names and the like are shorter than this, and carry no message. */
const LONGEST_TOKEN = 64;

const POINT_IN_TIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** The outgoing arguments; all of them if a declared name is not a parameter of the tool. */
function leaving({ tool: { sends, parameters }, args }: FlowCall): string[] {
  const isKnown = sends?.every((name) => name in parameters.properties);
  return Object.keys(args).filter((name) => !isKnown || sends?.includes(name));
}

/** The values in an argument that are not the user's. */
function leaves({ args, isOwn }: FlowCall, name: string): unknown[] {
  return leavesOf(args[name]).filter((leaf) => !isOwn(leaf));
}

/** Booleans and null carry no message. */
function isSaid(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : typeof value === "number";
}

function toolsOf(sources: readonly FlowSource[]): string {
  return [...new Set(sources.map(({ tool }) => tool))].join(", ");
}
