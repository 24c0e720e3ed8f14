import type { Context } from "hono";
import { z } from "zod";
import { beginning } from "../../common/text.js";
import { ModelFailed, oneLine } from "../../common/errors.js";
import { jsonWithoutOwnSecrets, withoutSecrets } from "../../common/secrets.js";
import { issueText } from "../../common/schemas/issueText.js";
import { seesAll } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";

export type Request = Context<Environment>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The longest list in one answer. */
export const MOST_LISTED = 1_000;

export const page = {
  limit: z.number().int().min(1).max(MOST_LISTED).default(10),
  offset: z.number().int().min(0).default(0),
};

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined);

/** A checkpoint of a thread, as clients name it. */
export const checkpointForm = z.object({
  checkpoint_id: text,
  checkpoint_ns: text,
  checkpoint_map: z.unknown().optional(),
});

export const jsonObject = z.record(z.string(), z.unknown());

/** A parameter of LangGraph's API that is refused rather than ignored. */
export const notOffered = (instead: string) => z.undefined(`is not offered: ${instead}`).optional();

export const uuid = z.string().regex(UUID, "must be a UUID");

/**
 * Reads the body of a request. Fields that are null count as absent, because clients in other languages send them.
 *
 * @throws HttpProblem 422 if it is not JSON, nested too deep, of too many values, or not of that form
 */
export async function readBody<Form>(context: Request, form: z.ZodType<Form>): Promise<Form> {
  const changed = await context.get("readBody")?.();
  const read = changed === undefined ? context.req.text() : JSON.stringify(changed);
  const text = await Promise.resolve(read).catch(() => {
    throw new HttpProblem({ status: 400, problem: "the body ended too early" });
  });
  if (text.length > LARGE_BODY) await nextTurn();
  let body: unknown = {};
  try {
    if (text.trim() !== "") body = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? oneLine(error.message) : "";
    throw refused(`the body is not JSON (${problem})`);
  }
  requireBounded(body);
  // What this server does not know is refused, not ignored.
  const known = form instanceof z.ZodObject && !form.def.catchall ? form.strict() : form;
  return check(known as z.ZodType<Form>, withoutNulls(body), "body");
}

/** Characters of a body that takes long to handle. */
const LARGE_BODY = 50_000;

let turns = Promise.resolve();

/** Large bodies are handled one at a time, with everything else that waits in between. */
async function nextTurn(): Promise<void> {
  const own = turns;
  turns = own.then(() => new Promise((done) => void setImmediate(done)));
  await own;
}

/** How deep a body may nest, because what handles it further on calls itself for each level. */
const DEEPEST_BODY = 200;

/** Values that a body may hold. */
const MOST_VALUES = 20_000;

/** Works without recursion, level by level. @throws HttpProblem 422 */
function requireBounded(body: unknown): void {
  let level = [body];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_BODY) throw refused(`the body is nested more than ${DEEPEST_BODY} deep`);
    count += level.length;
    if (count > MOST_VALUES) throw refused(`the body holds more than ${MOST_VALUES} values`);
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}

/** Reads the query of a request. @throws HttpProblem 422 */
export function readQuery<Form>(context: Request, form: z.ZodType<Form>): Form {
  return check(form, context.req.query(), "query");
}

/** Reads an id in the path. @throws HttpProblem 422 if it is not a UUID */
export function pathId(context: Request, name: string): string {
  const id = context.req.param(name) ?? "";
  if (UUID.test(id)) return id.toLowerCase();
  throw refused(`${name}: expected a UUID, got "${beginning(id, 100)}"`);
}

/** A boolean, as queries spell it. */
export const flag = z
  .string()
  .transform((text) => ["1", "true", "yes"].includes(text.toLowerCase()))
  .optional();

function check<Form>(form: z.ZodType<Form>, value: unknown, place: string): Form {
  const result = form.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  // What is not known at all explains most.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const path = [place, ...(issue?.path.map(String) ?? [])].join(".");
  throw refused(`${path}: ${oneLine(issueText({ issues: issue ? [issue] : [] }, value))}`);
}

/** The answer 422: the request is not of the form that this server accepts. */
export function refused(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 422, problem, hint });
}

function withoutNulls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutNulls);
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Answers with a value that may hold messages. */
export function answerJson(context: Request, value: unknown): Response {
  return context.body(jsonWithoutOwnSecrets(toJson(value)), 200, {
    "Content-Type": "application/json",
  });
}

/** The owner whose rows the caller sees; undefined for everybody's. */
export function ownerSeen(context: Request): string | undefined {
  const caller = context.get("caller");
  return seesAll(caller) ? undefined : caller.owner;
}

/** Sets the headers by which clients of LangGraph's API find the next page of a list. */
export function tellPage(
  context: Request,
  { offset, limit, total }: { offset: number; limit: number; total: number },
): void {
  context.header("X-Pagination-Total", String(total));
  if (offset + limit < total) context.header("X-Pagination-Next", String(offset + limit));
}

/** Whether an object has all fields of another, with the same values. */
export function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return whole === part;
  if (typeof whole !== "object" || whole === null) return false;
  const fields = whole as Record<string, unknown>;
  return Object.entries(part).every(([key, value]) => contains(fields[key], value));
}

/** Only the fields that were asked for; all if none were. */
export function select(value: object, fields?: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(value);
  return Object.fromEntries(fields ? entries.filter(([key]) => fields.includes(key)) : entries);
}

export function parsed(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

export function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** One of LangChain's messages, or anything else with their `toDict`. */
interface Writable {
  toDict: () => { type: string; data: Record<string, unknown> };
}

/**
 * JSON as clients of LangGraph's API read it: messages are flat objects with a `type`.
 *
 * @example
 * toJson({ messages: [new HumanMessage("Hello")] }); // '{"messages":[{"content":"Hello",…,"type":"human"}]}'
 */
export function toJson(value: unknown): string {
  return (
    JSON.stringify(value, function replace(this: Record<string, unknown>, key, written) {
      // The message's own `toJSON` has already been applied to `written`.
      const raw = this[key];
      if (isReview(raw)) return { ...raw, ...inSnakeCase(raw) };
      if (!isWritable(raw)) return written as unknown;
      const { type, data } = raw.toDict();
      return { ...data, type };
    }) ?? "null"
  );
}

/** What waits for a person, as LangChain's human in the loop asks (nodes/policy/askDecisions.ts). */
interface Review {
  actionRequests: readonly object[];
  reviewConfigs: readonly {
    actionName?: string;
    allowedDecisions?: unknown;
    argsSchema?: unknown;
  }[];
}

function isReview(value: unknown): value is Review {
  const { actionRequests, reviewConfigs } = Object(value) as Partial<Review>;
  return Array.isArray(actionRequests) && Array.isArray(reviewConfigs);
}

/** The same in the spelling of LangChain for Python, by which its front ends recognise a request. */
function inSnakeCase({ actionRequests, reviewConfigs }: Review) {
  return {
    action_requests: actionRequests,
    review_configs: reviewConfigs.map(({ actionName, allowedDecisions, argsSchema }) => ({
      action_name: actionName,
      allowed_decisions: allowedDecisions,
      args_schema: argsSchema,
    })),
  };
}

function isWritable(value: unknown): value is Writable {
  return (
    typeof value === "object" &&
    value !== null &&
    "toDict" in value &&
    typeof value.toDict === "function"
  );
}

/** An error, as clients read it. A provider that would answer later is said to be `overloaded`. */
export function errorOf(error: unknown): RunError {
  if (!(error instanceof Error))
    return { error: "Error", message: withoutSecrets(JSON.stringify(error) ?? String(error)) };
  const { overloaded } = error instanceof ModelFailed ? error.details : {};
  const told = { error: error.name, message: withoutSecrets(error.message) };
  return overloaded ? { ...told, overloaded } : told;
}

/** Why a run failed, as `__error__` of its result and in its stream. */
export type RunError = {
  error: string;
  message: string;
  overloaded?: ModelFailed["details"]["overloaded"];
};
