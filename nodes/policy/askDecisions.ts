import { isDeepStrictEqual } from "node:util";
import { getConfig, interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { several } from "../../common/text.js";
import { SHOWN_KEY } from "../../home/workspace.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { ParametersSchema } from "../../tools/tool.js";

/** How the error of a call begins that a person has rejected. */
export const REJECTED = "a person rejected this call";

type AllowedDecision = "approve" | "edit" | "reject";

/** An action that a person is asked about. */
export interface ReviewedAction {
  name: string;
  args: Record<string, unknown>;
  description?: string;
  /** Hash of the tool's definition: an approval holds for this one alone. */
  definition?: string;
  allowed: readonly AllowedDecision[];
  /** JSON Schema of the arguments that an edit gives. */
  argsSchema?: ParametersSchema;
}

/**
 * What waits for a person: calls, the writes of a program, a change of the library, a server's question, a source that
 * takes the person's own credentials, or whether an interrupted write was made.
 */
export type ReviewKind = "approval" | "writes" | "edit" | "question" | "connect" | "outcome";

/** The value of an interrupt: LangChain's request, and what helps a person to decide. */
export interface ReviewRequest {
  kind: ReviewKind;
  actionRequests: Pick<ReviewedAction, "name" | "args" | "description">[];
  /** One for each action, in their order. */
  reviewConfigs: {
    actionName: string;
    allowedDecisions: readonly AllowedDecision[];
    argsSchema?: object;
    definition?: string;
  }[];
  /** What was wrong with the person's previous answer, or empty. */
  problem: string;
  /** How many questions of this kind the visit of the node has had answered before this one, if it may ask several. */
  after?: number;
  /** Of the writes of a program. */
  program?: string;
  bill?: string;
  complete?: boolean;
  /** What a person is told first. */
  notes?: string[];
  /** Of a change of the library: the present code, its tests, and what it breaks. */
  before?: string;
  tests?: string[];
  breaks?: string[];
}

/** Actions in LangChain's form. */
export function reviewRequest(
  kind: ReviewKind,
  actions: readonly ReviewedAction[],
  problem: string,
): ReviewRequest {
  return {
    kind,
    actionRequests: actions.map(({ name, args, description }) => ({
      name,
      args,
      ...(description && { description }),
    })),
    reviewConfigs: actions.map(({ name, allowed, argsSchema, definition }) => ({
      actionName: name,
      allowedDecisions: allowed,
      ...(argsSchema && { argsSchema }),
      ...(definition && { definition }),
    })),
    problem,
  };
}

/** What a person has decided about an action. */
export type Decision =
  | { type: "approve" }
  | { type: "edit"; name: string; args: Record<string, unknown> }
  | { type: "reject"; message?: string };

/** A decision as a person gives it. */
export type GivenDecision = z.infer<typeof decisionsForm>["decisions"][number];

/** A decision in the spelling of LangChain for Python, or in that of its Agent Inbox, whose `args` say the rest. */
function inOurSpelling(given: unknown): unknown {
  const { type, edited_action, args, ...rest } = Object(given) as Record<string, unknown>;
  const { action: name, args: values } = Object(args) as Record<string, unknown>;
  const editedAction = edited_action ?? (name === undefined ? undefined : { name, args: values });
  if (editedAction !== undefined) return { ...rest, type, editedAction };
  const ofInbox: Record<string, object> = {
    accept: { type: "approve" },
    ignore: { type: "reject" },
    response: { type: "respond", message: args },
  };
  return ofInbox[String(type)] ?? given;
}

/** The Agent Inbox sends the bare list. */
const inOneField = (given: unknown) => (Array.isArray(given) ? { decisions: given } : given);

const decisionsForm = z.object({
  decisions: z.array(
    z.preprocess(
      inOurSpelling,
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("approve") }),
        z.object({
          type: z.literal("edit"),
          editedAction: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
        }),
        z.object({ type: z.literal("reject"), message: z.string().optional() }),
        z.object({ type: z.literal("respond"), message: z.string() }),
      ]),
    ),
  ),
});
const decisionsSchema = z.preprocess(inOneField, decisionsForm);

/**
 * Pauses the run with LangGraph's `interrupt` until a person decides by resuming it with `new Command({ resume:
 * { decisions } })`, in LangChain's form. Asks again if the answer does not hold one valid decision for each action, or
 * if what it was given for has changed since.
 *
 * @param options.asked counts how often the visit of the node has asked, if it may ask more than once
 * @param options.details what helps a person to decide besides the actions
 * @param options.problem what was wrong with the previous decisions
 * @param options.whole the name of an action that may be given in place of all others
 */
export function askDecisions(options: {
  kind: ReviewKind;
  actions: readonly ReviewedAction[];
  details?: object;
  problem?: string;
  whole?: string;
  asked?: { times: number };
}): Decision[] {
  const { kind, actions, details, whole, asked = { times: 0 } } = options;
  let { problem = "" } = options;
  while (true) {
    const again = asked.times > 0 && { round: asked.times };
    const request = { ...reviewRequest(kind, actions, problem), ...details, ...again };
    asked.times += 1;
    const answer: unknown = interrupt(request);
    if (!wasShown(request)) {
      problem = "what you were shown has changed; this is the current version";
      continue;
    }
    const { data } = decisionsSchema.safeParse(answer);
    const decisions = data?.decisions.map(read);
    const [first] = decisions ?? [];
    if (decisions?.length === 1 && first?.type === "edit" && first.name === whole) return decisions;
    problem = decisions ? problemOf(decisions, actions) : `it is not a decision: ${FORM}`;
    if (decisions && problem === "") return decisions;
  }
}

/** Requests that waited when the run was resumed; undefined if that is not known. */
function shownRequests(): Partial<ReviewRequest>[] | undefined {
  const config = getConfig() as { configurable?: { [SHOWN_KEY]?: Partial<ReviewRequest>[] } };
  return config?.configurable?.[SHOWN_KEY];
}

/** Whether a person was asked about an action when the run paused. */
export function wasAskedAbout(action: Pick<ReviewedAction, "name" | "args">): boolean {
  const shown = shownRequests()?.flatMap(({ actionRequests = [] }) => actionRequests) ?? [];
  return shown.some(
    ({ name, args }) => name === action.name && isDeepStrictEqual(args, action.args),
  );
}

/**
 * Whether an answer was given for this request. What it is made of may change while a person decides: definitions, the
 * library, the program. A later question of the same visit says that this one was answered well.
 */
function wasShown(request: Partial<ReviewRequest>): boolean {
  const shown = shownRequests();
  if (shown === undefined) return true;
  const sameKind = shown.filter(({ kind }) => kind === request.kind);
  if (sameKind.length === 0) return shown.length > 0;
  const isLater = ({ after = 0 }: Partial<ReviewRequest>) => after > (request.after ?? 0);
  return sameKind.some((one) => isLater(one) || isDeepStrictEqual(plain(one), plain(request)));
}

function plain({ problem: _problem, ...request }: Partial<ReviewRequest>): unknown {
  return JSON.parse(JSON.stringify(request));
}

const FORM =
  'resume with { "decisions": [{ "type": "approve" } | { "type": "edit", "editedAction": { "name", "args" } } | { "type": "reject", "message" }] }, one for each action';

function problemOf(decisions: readonly Decision[], actions: readonly ReviewedAction[]): string {
  if (decisions.length !== actions.length)
    return `it has ${several(decisions.length, "decision")} instead of ${actions.length}: ${FORM}`;
  const problems = decisions.flatMap((decision, at) => {
    const { name = "", allowed = [], definition: hash, argsSchema: parameters } = actions[at] ?? {};
    if (decision.type !== "edit") return [];
    if (decision.name !== name) return [`decision ${at} edits ${decision.name} instead of ${name}`];
    if (!allowed.includes("edit")) return [`${name} cannot be edited: approve or reject it`];
    if (hash === undefined || parameters === undefined) return [];
    const check = validateArguments({ record: { name, hash, parameters }, args: decision.args });
    return check.ok ? [] : [`decision ${at}, ${name}: ${check.problem}`];
  });
  return problems.join("; ");
}

/** A person cannot answer in place of the tool: the action is not taken, and the model is told the message. */
function read(given: GivenDecision): Decision {
  if (given.type === "respond") return { type: "reject", message: given.message };
  return given.type === "edit" ? { type: "edit", ...given.editedAction } : given;
}

/** The code that an edit gives; empty if it gives none. */
export function codeIn({ code }: Record<string, unknown>): string {
  return typeof code === "string" ? code : "";
}
