import { z } from "zod";
import { clipped } from "../text.js";
import { InvalidSetting, UnknownName, oneLine } from "../errors.js";
import { nearestName } from "../nearNames.js";

const LONGEST_SHOWN = 60;

/** How Zod's own messages begin, which do not say what came. */
const OF_ZOD = /^(?:Invalid|Too|Unrecognized)\b/;

const KINDS: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * What is wrong with a value that a Zod schema does not take, for an error message: what came, and what is wanted.
 * Messages that a schema states itself are kept.
 *
 * @example
 * issueText(error, { approval: "plann" }); // "plann" is none of declared, writes, plan, none; did you mean "plan"?
 */
export function issueText({ issues: [issue] }: Pick<z.ZodError, "issues">, given: unknown): string {
  if (!issue) return "is not valid";
  if (!OF_ZOD.test(issue.message)) return issue.message;
  const value = issue.path.reduce<unknown>((held, key) => Object(held)[key], given);
  const came = clipped(JSON.stringify(value) ?? "nothing", LONGEST_SHOWN);
  switch (issue.code) {
    case "invalid_value":
      return `${came} is none of ${issue.values.join(", ")}${meant(value, issue.values.map(String))}`;
    case "invalid_type":
      return value === undefined
        ? `is missing; ${kind(issue.expected)} is wanted`
        : `${came} is not ${kind(issue.expected)}`;
    case "too_small":
      if (issue.origin === "array" && Array.isArray(value) && value.length === 0) return "is empty";
      return `${came} ${measured(issue.origin, `${issue.inclusive ? "less than" : "not above"} ${issue.minimum}`)}`;
    case "too_big":
      return `${came} ${measured(issue.origin, `${issue.inclusive ? "more than" : "not below"} ${issue.maximum}`)}`;
    case "invalid_union": {
      // The choice that was read furthest was meant; of several, one with listed values says most.
      const inner = choicesOf(issue);
      const furthest = Math.max(...inner.map(({ path }) => path.length));
      const told = inner.filter(({ path }) => path.length === furthest);
      const [first = issue] = [
        ...told.filter(({ code }) => code === "invalid_value"),
        ...told.filter(({ code }) => code !== "invalid_type"),
        ...told,
      ];
      if (furthest > 0 || first.code !== "invalid_type")
        return first === issue
          ? `${came} cannot be used here`
          : issueText({ issues: [first] }, value);
      const kinds = told.flatMap((one) => (one.code === "invalid_type" ? kind(one.expected) : []));
      return `${came} is not ${[...new Set(kinds)].join(" or ")}`;
    }
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

/**
 * What is wrong with a value that a Zod schema does not take, and where. What is not known at all goes first: a misspelt
 * field is missed under its right name, too.
 *
 * @example
 * fieldProblem({ form, error, given: { jwt: { jwk: "…" } } }); // jwt: unknown field "jwk"; did you mean "jwks"?
 */
export function fieldProblem(options: { form: z.ZodType; error: z.ZodError; given: unknown }): {
  path: PropertyKey[];
  problem: string;
} {
  const { form, error, given } = options;
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  const { path = [] } = issue ?? {};
  const known = issue?.code === "unrecognized_keys" ? fieldsAt(form, path) : [];
  if (issue?.code !== "unrecognized_keys" || known.length === 0)
    return { path, problem: issueText({ issues: issue ? [issue] : [] }, given) };
  const [wanted = ""] = issue.keys;
  return { path, problem: new UnknownName({ kind: "field", wanted, available: known }).message };
}

function fieldsAt(form: z.ZodType, path: readonly PropertyKey[]): string[] {
  const whole: unknown = z.toJSONSchema(form, { io: "input", unrepresentable: "any" });
  const at = path.reduce((schema, key) => {
    const { properties, items } = Object(schema) as { properties?: object; items?: unknown };
    return (Object(properties) as Record<PropertyKey, unknown>)[key] ?? items;
  }, whole);
  return Object.keys(Object((Object(at) as { properties?: object }).properties));
}

/** What is wrong with a line of a file that is an object, with the field: `has no "tool"`, `"args": is not an object`. */
export function lineProblem(error: z.ZodError, row: Record<string, unknown>): string {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  if (path.length === 1 && !Object.hasOwn(row, String(path[0])))
    return `has no "${String(path[0])}"`;
  return `"${path.join(".")}": ${oneLine(issueText(error, row))}`;
}

/** What is wrong with each choice of a union, of whatever unions it is made. */
function choicesOf(union: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  return union.errors
    .flat()
    .flatMap((one) => (one.code === "invalid_union" && !one.path.length ? choicesOf(one) : [one]));
}

function kind(expected: string): string {
  return KINDS[expected] ?? `of the type ${expected}`;
}

/** Numbers are compared themselves; of lists and texts, the length. */
function measured(origin: string, limit: string): string {
  if (origin === "string") return `has ${limit} characters`;
  return origin === "array" || origin === "set" ? `has ${limit} entries` : `is ${limit}`;
}

function meant(value: unknown, values: readonly string[]): string {
  const near = typeof value === "string" ? nearestName(value, values) : undefined;
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/**
 * Reads what somebody has given by name; undefined and null count as not given.
 *
 * @param kind what a name stands for, in words: "setting"
 * @throws UnknownName for a name that the schema lacks
 * @throws InvalidSetting for a value that it does not take
 */
export function readNamed<Schema extends z.ZodObject>(
  { kind, schema }: { kind: string; schema: Schema },
  all: object,
): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value != null));
  const available = Object.keys(schema.shape);
  const wanted = Object.keys(given).find((name) => !available.includes(name));
  if (wanted) throw new UnknownName({ kind, wanted, available });
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const setting = read.error.issues[0]?.path.join(".") ?? kind;
  throw new InvalidSetting({ setting, problem: issueText(read.error, given) });
}
