import { toolLines } from "../../../models/toolLines.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { solutionText } from "../../../plans/steps/planText.js";
import type { PlanForm } from "../planForm.js";

const LIST =
  '[{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]';

/**
 * A list of calls, found by states and actions ("AI Agent 007", main solution; the texts are our own, as the
 * report does not print its prompt).
 */
export const STATE_ACTION: PlanForm = {
  form: `the list of all calls as JSON: ${LIST}, or [] if the tools can do none of it`,
  instructions: [
    "Plan which tools to call to fulfil a request. Nothing is run; the list of calls is the result.",
    [
      "Think in states and actions. The state is what the request says plus the outputs of the calls planned so far. An action is a call of a tool below that uses only the state and adds to it.",
      "Begin with a sentence on what is asked for and what the state holds. Then number sub-questions:",
      '1. "Which tool now?" Weigh the candidates in a few words and choose one. Say where each argument comes from: the request, or the output of which call.',
      '2. "Which tool now?" The same from the new state, and so on.',
      'Answer "End" when the state holds all that is asked for or no tool leads further.',
    ].join("\n"),
    [
      "What has proved right:",
      "- For me, my or mine, first find out who is asking, if a tool can.",
      "- Look up what the request names and a tool wants by id.",
      "- Make the fewest calls; give a tool that takes a list the whole list once.",
      "- Leave filtering, sorting, counting and computing to tools.",
      "- Pass only arguments that the request asks for or the tool requires. Never invent one; without a required one there is no call.",
      "- Write allowed values exactly as listed.",
      "- Match types; put one item in [ ] where a list is wanted.",
      "- Use no tool for what it is not made for, however close its name.",
      "- If the tools can do only part of the request, plan that, without look-ups that lead to nothing asked for.",
    ].join("\n"),
    [
      `End with all calls in order, as JSON:\n${LIST}`,
      '"$$PREV[i]" is the output of call i, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Use earlier calls only, and nest none. Write [] if the tools can do none of the request.',
    ].join("\n"),
  ].join("\n\n"),
  toolsText: (tools) => `Tools:\n${toolLines(tools)}`,
  written: solutionText,
  read: readPlan,
};
