import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { LONGEST_OUTCOMES } from "../../common/bounds.js";
import { beginning } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { issueLine } from "../../plans/language/progress.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { type StageChange, isEnd } from "../kit/stage.js";

/** Prefix of the ids of a program's calls. */
export const PROGRAM_CALL = "prog_";

/**
 * Abandons a program where it is; what was done stays done. The model goes on, unless the program takes something back: no
 * model has written it.
 */
export function leaveProgram(program: ProgramState, reason: string): StateUpdate {
  const left = { program: { ...program, next: "run" as const, left: reason } };
  return program.undo ? { ...left, status: "unsolved", answer: reason } : left;
}

export function isOfProgram({ program }: Pick<GraphState, "program">, id: string): boolean {
  if (!program) return false;
  return [program.callIds, program.aheadIds].some((ids) => Object.values(ids).includes(id));
}

/** What is wrong with a program, one line each. */
export function issueLines(program: Partial<ProgramState> | null | undefined): string[] {
  return (program?.issues ?? []).map((issue) => `to fix: ${oneLine(issueLine(issue))}`);
}

/** How a program ends; its calls are reported when made. */
export function endLines({ change, before }: StageChange): string[] {
  if (change.answer && !isEnd(change)) return ["answers"];
  const left = change.program?.left;
  return left && !before.program?.left ? [`leaves the program: ${oneLine(left)}`] : [];
}

/**
 * The conversation to show a model that continues from a program. The program's results are cut to fit, because the
 * model did not ask for them; they stay with their calls, as results of tools.
 */
export function withShortResults(messages: readonly BaseMessage[]): BaseMessage[] {
  const most = longestResult(messages);
  return messages.map((message) => {
    if (!isPlanned(message) || message.text.length <= most) return message;
    const { id, tool_call_id, name, status, text } = message;
    const shown = beginning(text, most);
    const note = `… [cut: the first ${shown.length} of ${text.length} characters are shown; a look-up is shown whole where the same call is made again]`;
    return new ToolMessage({ id, tool_call_id, name, status, content: `${shown}${note}` });
  });
}

function isPlanned(message: BaseMessage): message is ToolMessage {
  return ToolMessage.isInstance(message) && message.tool_call_id.startsWith(PROGRAM_CALL);
}

/** How much of each result is shown, so that all fit. */
function longestResult(messages: readonly BaseMessage[]): number {
  const lengths = messages.filter(isPlanned).map(({ text }) => text.length);
  let left = LONGEST_OUTCOMES;
  for (const [at, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}
