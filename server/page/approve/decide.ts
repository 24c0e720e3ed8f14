import type { ShownInterrupt, ShownRun } from "../routes/watchedRun.js";
import type { ReviewRequest } from "../../../nodes/policy/askDecisions.js";
import type { Schema } from "./SchemaForm.js";
import { makeClient } from "../parts/api.js";

/** An action that waits for a decision, in LangChain's form. */
export interface Action {
  name: string;
  args: Record<string, unknown>;
  description?: string;
  allowed: string[];
  schema?: object;
  /** Of a question, whose answer is in place of the arguments: what is answered besides. */
  question?: Record<string, unknown>;
}

/** An interrupt as the page reads it: LangChain's form, and our own additions. */
export interface Request extends Partial<
  Omit<ReviewRequest, "kind" | "actionRequests" | "reviewConfigs">
> {
  id: string;
  kind: string;
  actions: Action[];
}

/** What a person has decided about an action so far. */
export interface Draft {
  args: Record<string, unknown>;
  isRejected: boolean;
  reason: string;
}

/** The request of an interrupt; undefined for one of another form. */
export function requestOf({ id, value }: ShownInterrupt): Request | undefined {
  const shown = Object(value) as Partial<Omit<Request, "id" | "actions">> & {
    actionRequests?: Pick<Action, "name" | "args" | "description">[];
    reviewConfigs?: { allowedDecisions?: string[]; argsSchema?: Schema }[];
  };
  const { actionRequests, reviewConfigs = [], kind = "" } = shown;
  if (!Array.isArray(actionRequests)) return undefined;
  const actions = actionRequests.map(({ args, ...action }, at): Action => {
    const { allowedDecisions = ["approve", "edit", "reject"], argsSchema } =
      reviewConfigs[at] ?? {};
    if (!isAnswered(kind))
      return { ...action, args, allowed: allowedDecisions, schema: argsSchema };
    const { content, ...question } = args;
    const allowed = [...allowedDecisions, "reject"];
    const schema = argsSchema?.properties?.["content"];
    return { ...action, args: Object(content) as Action["args"], question, allowed, schema };
  });
  return { ...shown, id, kind, actions };
}

/** Whether a request is answered rather than decided: a server's question, or what became of a write. */
export function isAnswered(kind: string): boolean {
  return kind === "question" || kind === "outcome";
}

export function freshDraft({ args }: Action): Draft {
  return { args, isRejected: false, reason: "" };
}

export function isEdited({ args }: Action, draft: Draft): boolean {
  return JSON.stringify(args) !== JSON.stringify(draft.args);
}

function decisionOf(action: Action, draft: Draft): object {
  const { name, allowed, question } = action;
  const edit = (args: object) => ({ type: "edit", editedAction: { name, args } });
  if (question)
    return edit({
      ...question,
      ...(draft.isRejected ? { action: "decline" } : { content: draft.args }),
    });
  if (draft.isRejected)
    return { type: "reject", ...(draft.reason.trim() && { message: draft.reason.trim() }) };
  const mustEdit = !allowed.includes("approve");
  return isEdited(action, draft) || mustEdit ? edit(draft.args) : { type: "approve" };
}

/**
 * Sends the decisions, with the settings that the run was begun with, which threads of older versions do not keep.
 *
 * @throws Error if somebody else has decided meanwhile
 */
export async function decide(
  run: Pick<ShownRun, "threadId" | "graph" | "settings">,
  answers: readonly { request: Request; drafts: readonly Draft[] }[],
): Promise<void> {
  const { threadId, graph, settings } = run;
  const resume = Object.fromEntries(
    answers.map(({ request: { id, actions }, drafts }) => [
      id,
      { decisions: actions.map((one, at) => decisionOf(one, drafts[at] ?? freshDraft(one))) },
    ]),
  );
  try {
    await makeClient().runs.create(threadId, graph, {
      context: settings,
      command: { resume },
      streamMode: ["updates"],
      streamResumable: true,
    });
  } catch (error) {
    const { status } = Object(error) as { status?: number };
    if (status !== 409 && status !== 422) throw error;
    throw new Error("Someone else has already decided this; nothing was sent.", { cause: error });
  }
}
