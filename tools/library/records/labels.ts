import { calledTools, type FlowLabel, type ToolDefinition, type ToolEffects } from "../../tool.js";
import type { EffectsLabel } from "./effects.js";

/** What a tool does with data, as its definition stores it. */
export type ToolFlow = Pick<ToolDefinition, "flow" | "sends">;

/** What a person says of a tool; `source`: the labels of its source hold again. What is left out stays as it was. */
export interface GivenLabels {
  flow?: ToolFlow | "source";
  effects?: ToolEffects;
  undo?: WayBack | "source";
  /** What a call has done, for receipts; "source": as the source says it. */
  deed?: string;
}

/** How a call of a tool is taken back; without `undo`, it is not. */
export type WayBack = Pick<ToolDefinition, "undo" | "before">;

/** The labels of a tool as a library keeps them. */
export type KeptLabels = ToolFlow &
  Partial<EffectsLabel> & { wayBack?: WayBack } & Pick<ToolDefinition, "deed">;

/** The labels of a tool after a person has said something. */
export function withLabels(
  kept: KeptLabels,
  { flow, effects, undo, deed: given }: GivenLabels,
  said: ToolEffects,
): KeptLabels {
  const { flow: labels, sends, wayBack, deed: before, ...label } = kept;
  const ways = undo === "source" ? undefined : (undo ?? wayBack);
  const deed = given === "source" ? undefined : (given ?? before);
  const flows =
    flow === undefined ? { ...(labels && { flow: labels }), ...(sends && { sends }) } : {};
  return {
    ...(flow === undefined || flow === "source" ? flows : flow),
    ...(effects === undefined ? label : { effects, said }),
    ...(ways && { wayBack: ways }),
    ...(deed !== undefined && { deed }),
  };
}

const LABELS: readonly FlowLabel[] = ["private", "foreign", "outward"];

/** How labels are written, for error messages. */
export const FLOW_FORM =
  "private, foreign and outward, outward with the arguments that leave where not all do: outward(subject, body); or none";

/**
 * Reads labels: "private foreign", "outward(subject, body)", or "none". Undefined for anything else, because a
 * misspelt label would protect nothing.
 */
export function readFlow(written: unknown): ToolFlow | undefined {
  const text: unknown = Array.isArray(written) ? written.join(" ") : written;
  if (typeof text !== "string") return undefined;
  if (text.trim() === "none") return { flow: [] };
  const words = [...text.matchAll(/\w+(?:\s*\([^()]*\))?|[^\s,]/g)].map(([word]) => word);
  const read = words.map(readWord);
  const labels = read.flatMap((each) => each?.label ?? []);
  if (words.length === 0 || labels.length < words.length) return undefined;
  const sends = read.flatMap((each) => each?.sends ?? []);
  return {
    flow: LABELS.filter((label) => labels.includes(label)),
    ...(sends.length > 0 ? { sends } : {}),
  };
}

/** Inverse of {@link readFlow}. */
export function flowText({ flow = [], sends = [] }: ToolFlow): string {
  const words = flow.map((label) =>
    label === "outward" && sends.length > 0 ? `outward(${sends.join(", ")})` : label,
  );
  return words.join(" ") || "none";
}

function readWord(word: string): { label: FlowLabel; sends: string[] } | undefined {
  const [, name, given] = /^(\w+)(?:\s*\(([^()]*)\))?$/.exec(word) ?? [];
  const label = LABELS.find((each) => each === name);
  const sends = given?.split(/[\s,]+/).filter(Boolean) ?? [];
  // Only `outward` takes arguments, and at least one if any are given.
  const isFit = given === undefined || (label === "outward" && sends.length > 0);
  return label && isFit ? { label, sends } : undefined;
}

/** What a tool and the tools it calls do with data, as far as these are known. */
export function labelsOf(
  tool: Pick<ToolDefinition, "flow" | "sends" | "source">,
  toolOf: (id: string) => ToolDefinition | undefined,
): ToolFlow {
  const { flow, sends } = tool;
  const calls = calledTools(tool);
  if (flow || calls.length === 0) return { ...(flow && { flow }), ...(sends && { sends }) };
  const called = calls.flatMap((id) => toolOf(id) ?? []);
  // Neither a made tool nor a saved plan can call itself, so this ends.
  const labels = new Set(called.flatMap((one) => labelsOf(one, toolOf).flow ?? []));
  return { flow: LABELS.filter((label) => labels.has(label)) };
}
