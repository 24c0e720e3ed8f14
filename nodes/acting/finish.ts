import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { FINISH, STOP } from "../../tools/control.js";
import { truth } from "../shared/replyForm.js";

/** The stage under which an answer is asked for again, which limits that to once. */
export const ANSWER_STAGE = "answer";

/** How a branch of a step search ends: with an answer, or giving up to try another way. */
export interface BranchEnd {
  end: "answer" | "gaveUp";
  /** The answer, or the reason for giving up. */
  said: string;
  /** Whether the answer covers the whole request. */
  solved: boolean;
  /** Whether the model says that the request takes no tool. */
  noToolNeeded?: boolean;
}

const finishArguments = z.discriminatedUnion("return_type", [
  z.object({
    return_type: z.literal("give_answer"),
    final_answer: z.string().trim().min(1),
    solved: truth.default(true),
    no_tool_needed: truth.default(false),
  }),
  z.object({
    return_type: z.literal("give_up_and_restart"),
    final_answer: z.string().trim().default(""),
  }),
]);

/**
 * How a reply ends its branch: with a single valid call of `finish`, or with text and no calls, which is an
 * answer. Undefined for a reply with calls to execute.
 */
export function branchEnd(reply: Pick<AIMessage, "text" | "tool_calls">): BranchEnd | undefined {
  const [only, ...others] = reply.tool_calls ?? [];
  if (!only) return { end: "answer", said: reply.text.trim(), solved: true };
  if (others.length > 0 || only.name !== FINISH.name) return undefined;
  const finish = finishArguments.safeParse(only.args);
  if (!finish.success) return undefined;
  const { data } = finish;
  const said = data.final_answer;
  return data.return_type === "give_answer"
    ? { end: "answer", said, solved: data.solved, noToolNeeded: data.no_tool_needed }
    : { end: "gaveUp", said, solved: false };
}

const stopArguments = z.object({
  message: z.string().trim().min(1),
  solved: truth.default(true),
  no_tool_needed: truth.default(false),
});

/** How a reply ends its task: with `stop` alone, or with words alone as its result. */
export function taskEnd(
  reply: Pick<AIMessage, "text" | "tool_calls">,
): z.infer<typeof stopArguments> | undefined {
  const calls = reply.tool_calls ?? [];
  if (calls.length > 0) return stopOf(calls);
  return { solved: true, message: reply.text.trim(), no_tool_needed: false };
}

/** The arguments if the calls are a single valid `stop`; otherwise undefined. */
export function stopOf(
  calls: readonly Pick<ToolCall, "name" | "args">[],
): z.infer<typeof stopArguments> | undefined {
  const [only, ...others] = calls;
  if (others.length > 0 || only?.name !== STOP.name) return undefined;
  return stopArguments.safeParse(only.args).data;
}
