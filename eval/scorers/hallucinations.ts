import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { PlanReference } from "../../plans/steps/plan.js";
import { isReference, isText, partsOf } from "../../plans/steps/references.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { knownIn, type Known } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { termsOf } from "../../tools/library/words/words.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Score, Scored, ToolShape } from "./scorer.js";
import { solutionOf } from "./solution.js";

/**
 * What a run made up. All calls that the model wanted are judged, since a call of an unknown tool is never carried out;
 * for a mere plan, all its steps. Undefined if the tools are unknown.
 */
export const hallucinationRate: Score = ({ task, run, tools }) => {
  if (!tools) return undefined;
  const { background = "" } = run.settings;
  const texts = [task.query, String(background)];
  const lacking = valueOrigins({ texts, calls: wantedCalls(run), tools });
  return lacking.filter(Boolean).length / Math.max(1, lacking.length);
};

/** The steps of a mere plan, otherwise the calls. */
function wantedCalls(run: Scored["run"]): WantedCall[] {
  const { calls, isPlanned } = solutionOf(run);
  if (isPlanned) return [...calls];
  return run.calls
    .filter(({ tool }) => !CONTROL_NAMES.includes(tool))
    .map((call) => ({ ...call, isMade: !call.refused }));
}

type Hallucination = "tool" | "argument" | "reference" | "value";

interface WantedCall extends Pick<
  RunRecord["calls"][number],
  "tool" | "args" | "result" | "error"
> {
  /** It was carried out, so its tool exists: it was listed, or made during the run. */
  isMade?: boolean;
}

/**
 * For each argument value of a run's calls, in order: what it lacks, or undefined if it has a source. The first that
 * applies counts: the tool is unknown, it has no such argument, a reference points to the call itself or a later one, a
 * literal cannot come from the request, the tool's schema or the results of earlier calls. A call of an unknown tool
 * without arguments counts as one value.
 *
 * @param request.texts the request, and what else the model was told
 * @param request.calls those that the model wanted, including refused and failed ones
 * @param request.tools those known in advance
 */
export function valueOrigins(request: {
  texts: readonly string[];
  calls: readonly WantedCall[];
  tools: readonly ToolShape[];
}): (Hallucination | undefined)[] {
  const { calls, tools } = request;
  const texts = [...request.texts];
  return calls.flatMap((call, position) => {
    const origins = originsOfCall({ call, position, tool: toolOf(call, tools), texts });
    // The result of a call is known only to later calls.
    texts.push(textOf(call.result ?? call.error));
    return origins;
  });
}

function toolOf(call: WantedCall, tools: readonly ToolShape[]): ToolShape | undefined {
  const listed = tools.find(({ id, name }) => id === call.tool || name === call.tool);
  return listed ?? (call.isMade ? { ...UNLISTED, id: call.tool, name: call.tool } : undefined);
}

/** Its arguments are unknown: any may be right. */
const UNLISTED: Pick<ToolShape, "description" | "parameters"> = {
  description: "",
  parameters: { type: "object", properties: {}, additionalProperties: true },
};

function originsOfCall(request: {
  call: WantedCall;
  position: number;
  tool: ToolShape | undefined;
  texts: readonly string[];
}): (Hallucination | undefined)[] {
  const { call, position, tool, texts } = request;
  const values = Object.entries(call.args);
  if (!tool) return values.length === 0 ? ["tool"] : values.map(() => "tool");
  return values.map(([name, value]) => {
    const schema = schemaOf(tool, name);
    if (!schema) return "argument";
    const { steps, literals } = readReferences(value);
    if (steps.some((step) => step >= position)) return "reference";
    const told = [tool.description, textOf(schema)];
    return isDerivable(literals, evidenceOf([...texts, ...told])) ? undefined : "value";
  });
}

/** Undefined if the tool has no argument of that name; some tools accept any name. */
function schemaOf({ parameters }: ToolShape, name: string): JsonSchema | undefined {
  const { properties, additionalProperties: others = false } = parameters;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof others === "boolean") return others ? {} : undefined;
  return others as JsonSchema;
}

/** An argument with its references taken out. */
interface ReadReferences {
  /** Positions of the referenced steps, from 0. */
  steps: number[];
  /** The remaining literal values. */
  literals: unknown;
}

/** Finds references at any depth, as texts (`$$PREV[0].name`) or as objects of a plan. */
function readReferences(value: unknown): ReadReferences {
  if (typeof value === "string") return readParts(partsOf(value));
  if (isReference(value)) return readParts([value]);
  if (isText(value)) return readParts(value.$text);
  if (typeof value !== "object" || value === null) return { steps: [], literals: value };
  const inner = Object.values(value).map(readReferences);
  return {
    steps: inner.flatMap(({ steps }) => steps),
    literals: inner.map(({ literals }) => literals),
  };
}

function readParts(parts: readonly (string | PlanReference)[]): ReadReferences {
  return {
    steps: parts.flatMap((part) => (typeof part === "string" ? [] : part.$prev)),
    literals: parts.filter((part) => typeof part === "string"),
  };
}

export function evidenceOf(texts: readonly string[]): { known: Known; terms: Set<string> } {
  return { known: knownIn({ texts, values: [] }), terms: new Set(texts.flatMap(termsOf)) };
}

/**
 * Whether a value can come from texts: its numbers, dates, times, links and ids as answers are checked, and its words all
 * among theirs. Articles, pronouns and the like need no source, nor do true, false and null. In lists and objects each value
 * needs a source. A sum counts as not derivable; a day as far from a known one as was said ("a week later") is derivable.
 */
export function isDerivable(value: unknown, evidence: ReturnType<typeof evidenceOf>): boolean {
  if (typeof value === "object" && value !== null)
    return Object.values(value).every((inner) => isDerivable(inner, evidence));
  if (typeof value !== "string" && typeof value !== "number") return true;
  const words = termsOf(String(value)).filter((term) => /^\p{L}{2,}$/u.test(term));
  return (
    ungroundedValues(String(value), evidence.known).length === 0 &&
    words.every((word) => evidence.terms.has(word))
  );
}

/** All contents of a value as one text, including names of fields. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name} ${textOf(inner)}`)
      .join("\n");
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
