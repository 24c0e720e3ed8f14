import { interrupt } from "@langchain/langgraph";
import { z } from "zod";

/** What a person may decide about an action, in LangChain's words. */
export type AllowedDecision = "approve" | "edit" | "reject";

/** An action as LangChain's front ends for people in the loop draw it. */
export interface ReviewedAction {
  name: string;
  args: Record<string, unknown>;
  description?: string;
  allowed: readonly AllowedDecision[];
  /** JSON Schema of the arguments that an edit gives. */
  argsSchema?: object;
}

/** LangChain's request, which every interrupt of ours carries beside its own fields. */
export interface ReviewRequest {
  actionRequests: Pick<ReviewedAction, "name" | "args" | "description">[];
  /** One for each action, in their order. */
  reviewConfigs: {
    actionName: string;
    allowedDecisions: readonly AllowedDecision[];
    argsSchema?: object;
  }[];
}

/** Draws actions in LangChain's form. */
export function reviewRequest(actions: readonly ReviewedAction[]): ReviewRequest {
  return {
    actionRequests: actions.map(({ name, args, description }) => ({
      name,
      args,
      ...(description && { description }),
    })),
    reviewConfigs: actions.map(({ name, allowed, argsSchema }) => ({
      actionName: name,
      allowedDecisions: allowed,
      ...(argsSchema && { argsSchema }),
    })),
  };
}

/** A decision in LangChain's form that ours has not; the others are the same in both. */
const foreignSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("edit"),
    editedAction: z.object({
      name: z.string().optional(),
      args: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({ type: z.literal("respond"), message: z.string() }),
]);

const listSchema = z.object({ decisions: z.array(z.record(z.string(), z.unknown())) });

/**
 * Pauses the run with LangGraph's `interrupt` until a person decides by resuming it with `new Command({ resume:
 * { decisions } })`, in our form or in LangChain's. Asks again if the answer contains no valid decisions.
 *
 * @param options.request what the person is shown; `problem` says what was wrong with the previous answer
 * @param options.actions the same as LangChain's front ends draw it
 * @param options.decisions how many decisions are needed, and their form
 * @param options.wanted the same in words, for a person who answered something else
 * @param options.edited an edit of ours with the arguments that LangChain's has
 * @param options.together decisions of ours made of one decision for each action; default: they are these
 */
export function askDecisions<Decisions>(options: {
  request: { problem: string };
  actions: readonly ReviewedAction[];
  decisions: z.ZodType<Decisions>;
  wanted: string;
  edited: (args: Record<string, unknown>) => object;
  together?: (decisions: readonly object[]) => readonly object[];
}): Decisions {
  const { request, actions, decisions, wanted } = options;
  const schema = z.object({ decisions });
  const drawn = reviewRequest(actions);
  let { problem } = request;
  while (true) {
    const said = ours({ ...options, answer: interrupt({ ...request, problem, ...drawn }) });
    const read = schema.safeParse(said.answer);
    if (read.success) return read.data.decisions;
    problem =
      said.problem ??
      `it is no decision: resume with { "decisions": [{ "type": "approve" | "edit" | "reject", … }] }, ${wanted}`;
  }
}

/** An answer with all decisions in our form, or what is wrong with it; what is no list of decisions as it is. */
function ours(options: {
  answer: unknown;
  actions: readonly ReviewedAction[];
  edited: (args: Record<string, unknown>) => object;
  together?: (decisions: readonly object[]) => readonly object[];
}): { answer?: unknown; problem?: string } {
  const { answer, actions, edited, together = (all) => all } = options;
  const list = listSchema.safeParse(answer);
  if (!list.success) return { answer };
  const problems: string[] = [];
  const decisions = list.data.decisions.map((decision, at): object => {
    const foreign = foreignSchema.safeParse(decision);
    if (!foreign.success) return decision;
    // Nothing can be given in place of a result: the action is not taken, and the model is told the message.
    if (foreign.data.type === "respond") return { type: "reject", message: foreign.data.message };
    const { name, args } = foreign.data.editedAction;
    const asked = actions[at]?.name;
    if (name !== undefined && name !== asked)
      problems.push(`decision ${at} edits ${name}, and asked about was ${asked ?? "nothing"}`);
    return edited(args);
  });
  if (problems.length > 0) return { problem: problems.join("; ") };
  const all = decisions.length === actions.length ? together(decisions) : decisions;
  return { answer: { decisions: all } };
}
