import { toolLines } from "../../../models/toolLines.js";
import { planText } from "../../../plans/solutionText.js";
import { readPlan } from "../../../plans/readPlan.js";
import type { PlanForm } from "../planForm.js";

const FORM =
  'one JSON object and nothing else: {"thought": "the approach, briefly", "steps": [{"tool": "name", "args": {"argument": value}}], "answer": "text", "lacking": []}';

/** A plan that can be followed: calls, an answer built from their outputs, and what is lacking. */
export const TYPED: PlanForm = {
  form: FORM,
  instructions: [
    "Plan how to fulfil a request with tools. No tool has run yet; the whole plan is carried out as written.",
    `Reply with ${FORM}`,
    [
      "steps: the fewest calls of the tools below that do it, in running order.",
      '- "$$PREV[0]" is the output of the first step, "$$PREV[2].items[-1].id" part of the third\'s, by its return type. Alone in its quotes a reference keeps its type, lists included.',
      "- Copy other values from the request or the background. Invent none, compute none that a tool can compute; omit optional arguments that are not needed.",
      '- "look_at_result": true on a step means that what follows depends on its result (whether it exists, which of several, one call per item). End the plan there with an empty answer; you then see the results, as you do if a reference leads nowhere.',
    ].join("\n"),
    'answer: the full answer for the user, such as "It comes to $$PREV[1]." Its values are references or from the request, never guesses. If no tool is needed, just answer, without steps. Leave it empty if you must see results to word it.',
    'lacking: short general phrases such as "send an e-mail" for what no tool below can do; a larger library is searched for them. Plan the rest, but no step that needs what is missing or leads to nothing asked for. Never misuse a tool.',
  ].join("\n\n"),
  toolsText: (tools) => `Tools:\n${toolLines(tools)}`,
  written: planText,
  read: readPlan,
};
