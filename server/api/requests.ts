import type { Context } from "hono";
import { z } from "zod";
import { beginning } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { seesAll } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";

export type Request = Context<Environment>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Most rows of a list that are given at once. */
export const MOST_LISTED = 1_000;

export const page = {
  limit: z.number().int().min(1).max(MOST_LISTED).default(10),
  offset: z.number().int().min(0).default(0),
};

export const jsonObject = z.record(z.string(), z.unknown());

export const uuid = z.string().regex(UUID, "must be a UUID");

/**
 * The body of a request. Fields that are null count as absent, as clients in other languages send them.
 *
 * @throws HttpProblem 422 for what is no JSON or not of that form
 */
export async function readBody<Form>(context: Request, form: z.ZodType<Form>): Promise<Form> {
  const text = await context.req.text();
  let body: unknown = {};
  try {
    if (text.trim() !== "") body = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? oneLine(error.message) : "";
    throw refused(`the body is no JSON (${problem})`);
  }
  return check({ form, value: withoutNulls(body), place: "body" });
}

/** The query of a request. @throws HttpProblem 422 */
export function readQuery<Form>(context: Request, form: z.ZodType<Form>): Form {
  return check({ form, value: context.req.query(), place: "query" });
}

/** An id in the path. @throws HttpProblem 422 where it is no UUID */
export function pathId(context: Request, name: string): string {
  const id = context.req.param(name) ?? "";
  if (UUID.test(id)) return id.toLowerCase();
  throw refused(`${name}: expected a UUID, got "${beginning(id, 100)}"`);
}

/** Truth as queries spell it. */
export const flag = z
  .string()
  .transform((text) => ["1", "true", "yes"].includes(text.toLowerCase()))
  .optional();

function check<Form>({
  form,
  value,
  place,
}: {
  form: z.ZodType<Form>;
  value: unknown;
  place: string;
}): Form {
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [place, ...(issue?.path.map(String) ?? [])].join(".");
  throw refused(`${path}: ${oneLine(issue?.message ?? "is not valid")}`);
}

export function refused(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 422, problem, hint });
}

function withoutNulls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutNulls);
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Answers with JSON that is written already. */
export function answerJson(context: Request, json: string): Response {
  return context.body(json, 200, { "Content-Type": "application/json" });
}

/** Whose rows the caller sees; undefined for everybody's. */
export function ownerSeen(context: Request): string | undefined {
  const caller = context.get("caller");
  return seesAll(caller) ? undefined : caller.owner;
}

/** Says where a list goes on, as clients of LangGraph's API look for it. */
export function tellPage(
  context: Request,
  { offset, limit, total }: { offset: number; limit: number; total: number },
): void {
  context.header("X-Pagination-Total", String(total));
  if (offset + limit < total) context.header("X-Pagination-Next", String(offset + limit));
}

/** Whether an object has all that another one has. */
export function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return whole === part;
  if (typeof whole !== "object" || whole === null) return false;
  const fields = whole as Record<string, unknown>;
  return Object.entries(part).every(([key, value]) => contains(fields[key], value));
}

/** Only the fields that were asked for. */
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
