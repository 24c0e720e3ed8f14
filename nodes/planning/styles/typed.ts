import { toolLines } from "../../../models/toolLines.js";
import { planText } from "../../../plans/steps/planText.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import type { PlanForm } from "../planForm.js";

const FORM =
  'one JSON object and nothing else: {"thought": "the approach, briefly", "steps": [{"tool": "name", "args": {"argument": value}}], "answer": "text"}';

/** A plan with calls and an answer built from their outputs. */
export const TYPED: PlanForm = {
  form: FORM,
  instructions: [
    "Plan how to fulfil a request with tools. No tool has run yet; the whole plan is carried out as written.",
    `Reply with ${FORM}`,
    [
      "steps: the fewest calls of the tools below that do it, in running order.",
      '- "$$PREV[0]" is the output of the first step, "$$PREV[2].items[-1].id" part of the third\'s, by its return type. Alone in its quotes a reference keeps its type, lists included.',
      "- Copy other values from the request or the background. Invent none, compute none that a tool can compute; omit optional arguments that are not needed.",
    ].join("\n"),
    'answer: the full answer for the user, such as "It comes to $$PREV[1]." Its values are references or from the request, never guesses. Leave it empty if you must see results to word it.',
    "If the tools below cannot do all of it, leave steps empty. Never misuse a tool.",
  ].join("\n\n"),
  toolsText: (tools) => `Tools:\n${toolLines(tools)}`,
  written: planText,
  read: readPlan,
};
