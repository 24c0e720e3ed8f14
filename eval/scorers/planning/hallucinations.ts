import type { JsonSchema } from "../../../tools/tool.js";
import type { RunRecord } from "../../runs/runRecord.js";
import type { ToolShape } from "../scorer.js";
import { type Evidence, evidenceOf, isDerivable, textOf } from "./planEvidence.js";
import { readReferences } from "./readReferences.js";

/** What a call names that does not exist. */
export type Hallucination = "tool" | "argument" | "reference" | "value";

/** A call that a model wanted. */
export interface WantedCall extends Pick<
  RunRecord["calls"][number],
  "tool" | "args" | "result" | "error"
> {
  /** It was carried out, so that there is such a tool, listed or made during the run. */
  isMade?: boolean;
}

/**
 * What stands behind each argument value of a run's calls, in their order: nothing that exists (what
 * is missing), or something (undefined). The first that applies counts: the tool is unknown, it has no
 * such argument, a reference points to the call itself or a later one, a literal cannot have been taken
 * from the request, the tool's schema or the results of earlier calls. A call of an unknown tool without
 * arguments counts as one value.
 *
 * @param request.texts the request, and what else the model was told
 * @param request.calls those that the model wanted, refused and failed ones among them
 * @param request.tools those that are known beforehand
 */
export function valueOrigins(request: {
  texts: readonly string[];
  calls: readonly WantedCall[];
  tools: readonly ToolShape[];
}): (Hallucination | undefined)[] {
  const { calls, tools } = request;
  const known = [evidenceOf(request.texts)];
  return calls.flatMap((call, position) => {
    const origins = originsOfCall({ call, position, tool: toolOf(call, tools), known });
    // What a call was told is known to those after it alone.
    known.push(evidenceOf([textOf(call.result ?? call.error)]));
    return origins;
  });
}

function toolOf(call: WantedCall, tools: readonly ToolShape[]): ToolShape | undefined {
  const listed = tools.find(({ id, name }) => id === call.tool || name === call.tool);
  return listed ?? (call.isMade ? { ...UNLISTED, id: call.tool, name: call.tool } : undefined);
}

/** Nothing is known of its arguments: any may be right. */
const UNLISTED: Pick<ToolShape, "description" | "parameters"> = {
  description: "",
  parameters: { type: "object", properties: {}, additionalProperties: true },
};

function originsOfCall(request: {
  call: WantedCall;
  position: number;
  tool: ToolShape | undefined;
  known: readonly Evidence[];
}): (Hallucination | undefined)[] {
  const { call, position, tool, known } = request;
  const values = Object.entries(call.args);
  if (!tool) return values.length === 0 ? ["tool"] : values.map(() => "tool");
  return values.map(([name, value]) => {
    const schema = schemaOf(tool, name);
    if (!schema) return "argument";
    const { steps, literals } = readReferences(value);
    if (steps.some((step) => step >= position)) return "reference";
    const told = evidenceOf([tool.description, textOf(schema)]);
    return isDerivable(literals, [told, ...known]) ? undefined : "value";
  });
}

/** Undefined where the tool has no argument of that name; some tools take arguments of any. */
function schemaOf({ parameters }: ToolShape, name: string): JsonSchema | undefined {
  const { properties, additionalProperties: others = false } = parameters;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof others === "boolean") return others ? {} : undefined;
  return others as JsonSchema;
}
