import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import type { Prompt, ReflectInput } from "../shared/stageInputs.js";
import { toolLines } from "../../models/toolLines.js";

/** The reply of `reflect`: a verdict, and a cue for the next plan. */
const VERDICT_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    accepted: { type: "boolean", description: "Whether the plan can stay as it is" },
    cue: { type: "string", description: "What to do otherwise; empty for an accepted plan" },
  },
  required: ["accepted", "cue"],
  additionalProperties: false,
};

/**
 * Asks for a verdict on a plan and for a cue that helps to write a better one (Reflexion, as used in "AI
 * Agent 007").
 *
 * @param problem what was wrong with the model's last reply
 */
export function reflectPrompt(input: ReflectInput, problem?: string): Prompt<"reflect"> {
  return {
    stage: "reflect",
    input,
    messages: [
      new SystemMessage(
        [
          "You look through plans that fulfil requests with tools. A plan is a list of calls, numbered from 0; $$PREV[0] in an argument stands for the output of call 0, $$PREV[0].name for a field of it. Nothing has run yet.",
          "Accept the plan if its calls fulfil the request as far as the tools allow, an empty one where they allow nothing: none is missing or superfluous, every argument is given by the request or by an earlier call, and each reference leads to what is meant. A plan of which a check has found something wrong is never accepted.",
          "Otherwise write a cue for whoever writes it anew, in at most three sentences: which calls are superfluous, which tools are missing, and which arguments or references to change, and how. Do not write the plan itself.",
          'Reply with a JSON object: {"accepted": true or false, "cue": "..."}.',
          `Tools:\n${toolLines(input.tools)}`,
          backgroundText(input.background),
        ]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: VERDICT_SCHEMA,
  };
}

function task({ request, earlierTurns, plan, problems }: ReflectInput): string {
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    `Plan: ${plan}`,
    problems.length > 0 &&
      ["What a check has found:", ...problems.map((problem) => `- ${problem}`)].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
