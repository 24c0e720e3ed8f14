import { isDeepStrictEqual } from "node:util";
import type { Context } from "hono";
import { ModelFailed } from "../../common/errors.js";
import { jsonWithoutOwnSecrets, withoutSecrets } from "../../common/secrets.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";

export type Request = Context<Environment>;

/** The answer 422: the request is not of the form that this server accepts. */
export function refused(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 422, problem, hint });
}

/** Answers with a value that may hold messages. */
export function answerJson(context: Request, value: unknown): Response {
  return context.body(jsonWithoutOwnSecrets(toJson(value)), 200, {
    "Content-Type": "application/json",
  });
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

/** LangGraph's comparisons, in a filter's value. */
const COMPARISONS: Record<string, (given: never, wanted: never) => boolean> = {
  $eq: (given, wanted) => isDeepStrictEqual(given, wanted),
  $ne: (given, wanted) => !isDeepStrictEqual(given, wanted),
  $gt: (given, wanted) => given > wanted,
  $gte: (given, wanted) => given >= wanted,
  $lt: (given, wanted) => given < wanted,
  $lte: (given, wanted) => given <= wanted,
  $contains: (given: unknown, wanted) =>
    Array.isArray(given) && [wanted].flat().every((each) => given.includes(each)),
};

/** Whether a value is as a filter wants it. */
export function meets(given: unknown, wanted: unknown): boolean {
  const entries = Object.entries(Object(wanted) as Record<string, unknown>);
  if (typeof wanted !== "object" || !entries.some(([name]) => name in COMPARISONS))
    return contains(given, wanted);
  return entries.every(
    ([name, value]) => COMPARISONS[name]?.(given as never, value as never) ?? false,
  );
}

/** Only the fields that were asked for; all if none were. */
export function select(value: object, fields?: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(value);
  return Object.fromEntries(fields ? entries.filter(([key]) => fields.includes(key)) : entries);
}

export function parsed(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

/** A config without who its user is, of whom a project may say more than others should read. */
export function shownConfig(config: object): object {
  const { configurable, ...rest } = config as { configurable?: Record<string, unknown> };
  const shown = Object.entries({ ...configurable }).filter(
    ([name]) => !name.startsWith("langgraph_auth_"),
  );
  return configurable ? { ...rest, configurable: Object.fromEntries(shown) } : rest;
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
      if (isReview(raw)) return { ...raw, ...inBothSpellings(raw) };
      const { toDict } = Object(raw) as Partial<Writable>;
      if (typeof toDict !== "function") return written as unknown;
      const { type, data } = toDict.call(raw);
      return { ...data, type };
    }) ?? "null"
  );
}

/** What waits for a person, as LangChain's human in the loop asks (nodes/policy/askDecisions.ts). */
type Review = Pick<ReviewRequest, "actionRequests" | "reviewConfigs">;

function isReview(value: unknown): value is Review {
  const { actionRequests, reviewConfigs } = Object(value) as Partial<Review>;
  return Array.isArray(actionRequests) && Array.isArray(reviewConfigs);
}

/** In the spellings of LangChain for JavaScript and for Python, by which its front ends recognise a request. */
function inBothSpellings({ actionRequests: requests, reviewConfigs: configs }: Review) {
  // The Agent Inbox wants to know of `arguments`.
  const actionRequests = requests.map((each) => ({ ...each, arguments: each.args }));
  // Both in each: the SDK's hooks make one of these lists of the other.
  const reviewConfigs = configs.map((each) => ({
    ...each,
    action_name: each.actionName,
    allowed_decisions: each.allowedDecisions,
    args_schema: each.argsSchema,
  }));
  return {
    actionRequests,
    reviewConfigs,
    action_requests: actionRequests,
    review_configs: reviewConfigs,
  };
}

/** An error, as clients read it. A provider that would answer later is said to be `overloaded`. */
export function errorOf(error: unknown) {
  const { overloaded } = error instanceof ModelFailed ? error.details : {};
  const [kind, message] =
    error instanceof Error ? [error.name, error.message] : ["Error", JSON.stringify(error)];
  return { error: kind, message: withoutSecrets(message ?? String(error)), overloaded };
}

/** Why a run failed, as `__error__` of its result and in its stream. */
export type RunError = ReturnType<typeof errorOf>;
