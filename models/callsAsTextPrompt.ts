import type { OfferedTool } from "../nodes/shared/stageInputs.js";
import { toolLines } from "./toolLines.js";

/**
 * Tools, and how to call them in plain text: for models whose provider takes no tools.
 *
 * @param options.toolChoice "any": the model must call some tool; a name: it must call this one
 */
export function textCallsText(options: {
  tools: readonly OfferedTool[];
  toolChoice?: string;
}): string {
  const { tools, toolChoice } = options;
  return [
    `Tools:\n${toolLines(tools)}`,
    `To call a tool, reply with the call as JSON: {"name": "tool", "arguments": {"argument": value}}. Several calls at once are a JSON list of such objects. What comes of them is told to you afterwards.`,
    wanted(toolChoice),
  ].join("\n\n");
}

function wanted(toolChoice: string | undefined): string {
  if (toolChoice === undefined) return "Where no tool is needed, reply in plain text.";
  if (toolChoice === "any") return "Each reply is a call, or a list of calls, and nothing else.";
  return `Reply with one call of ${toolChoice} and nothing else.`;
}

/** Calls in the form the model is asked to write. */
export function writtenCalls(calls: readonly { name: string; args: unknown }[]): string {
  const written = calls.map(({ name, args }) => ({ name, arguments: args }));
  return JSON.stringify(written.length === 1 ? written[0] : written);
}

/** The result of a call, for the model. */
export function resultText(result: { name: string; text: string; failed: boolean }): string {
  const { name, text, failed } = result;
  return failed ? `${name} has failed: ${text}` : `Result of ${name}: ${text}`;
}
