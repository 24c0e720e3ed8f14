import { toolLines } from "../../../models/toolLines.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { solutionText } from "../../../plans/steps/planText.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "../callSchema.js";
import type { PlanForm } from "../planForm.js";

const FORM =
  'one JSON object and nothing else: {"thought": "the approach, briefly", "steps": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}';

/**
 * A list of calls in a form that the provider enforces ("AI Agent 007": output enforcer). If it cannot, nearly
 * correct names are fixed afterwards.
 */
export const ENFORCED: PlanForm = {
  form: FORM,
  instructions: [
    "Plan which tools to call to fulfil a request. Nothing is run; the list of calls is the result.",
    `Reply with ${FORM}`,
    [
      "- steps: the fewest calls of the tools below that do it, in running order, with exact names.",
      '- "$$PREV[i]" is the output of call i, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Use earlier calls only.',
      "- Copy other values from the request. Invent none; omit optional arguments that are not needed.",
      '- Write an object as its fields: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
      "- If the tools can do only part of the request, plan that, without look-ups that lead to nothing asked for; if none of it, leave steps empty.",
    ].join("\n"),
  ].join("\n\n"),
  toolsText: (tools) => `Tools:\n${toolLines(tools)}`,
  schema: (tools) => ({
    ...strictObject({
      thought: { type: "string", description: "The approach, briefly" },
      steps: { type: "array", items: callSchema(tools) },
    }),
    $defs: VALUE_DEFINITIONS,
  }),
  written: (plan, nameOf) => `{"steps":${solutionText(plan, nameOf)}}`,
  read: readPlan,
};
