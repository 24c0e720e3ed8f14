import { interrupt } from "@langchain/langgraph";
import { z } from "zod";

/** What a person may decide about an action, in LangChain's words. */
export type AllowedDecision = "approve" | "edit" | "reject";

/** An action as LangChain's human-in-the-loop front ends show it. */
export interface ReviewedAction {
  name: string;
  args: Record<string, unknown>;
  description?: string;
  allowed: readonly AllowedDecision[];
  /** JSON Schema of the arguments that an edit gives. */
  argsSchema?: object;
}

/** LangChain's request, which each of our interrupts carries besides its own fields. */
export interface ReviewRequest {
  actionRequests: Pick<ReviewedAction, "name" | "args" | "description">[];
  /** One for each action, in their order. */
  reviewConfigs: {
    actionName: string;
    allowedDecisions: readonly AllowedDecision[];
    argsSchema?: object;
  }[];
}

/** Actions in LangChain's form. */
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

/** Decisions that only LangChain's form has; the others are the same in both. */
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
 * @param options.actions the same for LangChain's front ends
 * @param options.decisions how many decisions are needed, and their form
 * @param options.wanted the same in words, for a person who answered something else
 * @param options.edited makes our form of an edit from the arguments of LangChain's
 * @param options.together makes our decisions from one decision per action; by default these are ours
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

/** An answer with its decisions in our form, or what is wrong with it; unchanged if it has no list of decisions. */
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
    // A person cannot answer in place of the tool: the action is not taken, and the model is told the message.
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
