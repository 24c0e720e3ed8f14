import type { Handler, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { z } from "zod";
import { messageOf, oneLine } from "../../common/errors.js";
import { fieldProblem } from "../../common/schemas/issueText.js";
import { beginning } from "../../common/text.js";
import { givenFields } from "../../common/givenFields.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { type Request, refused } from "./requests.js";

/** What a route takes besides what is in its path. */
interface Forms {
  query?: z.ZodObject;
  body?: z.ZodType;
}

const FORMS = Symbol("forms");

/** What a route's handlers take together, for the document that describes the routes. */
export function formsOf(handlers: readonly Handler[]): Forms {
  return Object.assign({}, ...handlers.map((each) => (each as { [FORMS]?: Forms })[FORMS]));
}

type Taken<Target extends string, Form> = MiddlewareHandler<
  Environment,
  string,
  { in: Record<Target, Form>; out: Record<Target, Form> }
>;

/**
 * Reads the body of a request for a route's handler, which gets it by `context.req.valid("json")`:
 * `app.post("/threads", body(form), handler)`.
 *
 * @param spelt gives the names that the form has to what is sent in other ones
 * @throws HttpProblem 422 if it is not JSON, nested too deep, of too many values, or not of that form
 */
export function body<Form>(
  form: z.ZodType<Form>,
  spelt = (given: unknown) => given,
): Taken<"json", Form> {
  const take: Taken<"json", Form> = async (context, next) => {
    context.req.addValidatedData("json", Object(await readBody(context, form, spelt)));
    await next();
  };
  return Object.assign(take, { [FORMS]: { body: form } satisfies Forms });
}

/** Reads the query of a request likewise: `context.req.valid("query")`. @throws HttpProblem 422 */
export function query<Form extends object>(
  form: z.ZodObject & z.ZodType<Form>,
): Taken<"query", Form> {
  const take: Taken<"query", Form> = async (context, next) => {
    // What python's clients leave open comes as an empty text.
    const given = Object.entries(context.req.queries())
      .map(([name, values]) => [name, values.filter((value) => value !== "")] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
    context.req.addValidatedData(
      "query",
      check(form, { ...Object.fromEntries(given), ...context.get("changedQuery") }, "query"),
    );
    await next();
  };
  return Object.assign(take, { [FORMS]: { query: form } satisfies Forms });
}

/** Refuses the query of a request to a route that takes none. */
export const refuseQuery: MiddlewareHandler<Environment> = async (context, next) => {
  const [name] = Object.keys(context.req.query());
  const routes = matchedRoutes(context).filter(({ path }) => !path.endsWith("*"));
  if (name !== undefined && routes.length > 0) {
    const { query: known } = formsOf(routes.map(({ handler }) => handler as Handler));
    if (!known)
      throw refused(`query: ${context.req.path} takes no parameter "${beginning(name, 100)}"`);
  }
  await next();
};

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
export const notOffered = (instead: string) =>
  z
    .null(`is not offered: ${instead}`)
    .optional()
    .transform(() => undefined);

export const uuid = z.string().regex(UUID, "must be a UUID");

/**
 * Reads the body of a request. Fields that are null count as absent, because clients in other languages send them.
 *
 * @throws HttpProblem 422 if it is not JSON, nested too deep, of too many values, or not of that form
 */
async function readBody<Form>(
  context: Request,
  form: z.ZodType<Form>,
  spelt: (given: unknown) => unknown,
): Promise<Form> {
  const changed = await context.get("readBody")?.();
  const read = changed === undefined ? context.req.text() : JSON.stringify(changed);
  const text = await Promise.resolve(read).catch(() => {
    throw new HttpProblem({ status: 400, problem: "the body ended too early" });
  });
  if (text.length > LARGE_BODY) await nextTurn();
  return check(form, spelt(readJson(text.trim() || "{}")), "body");
}

/** Reads what a client has sent, without what is null. @throws HttpProblem 422 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(`the body is not JSON (${oneLine(messageOf(error))})`);
  }
  requireBounded(value);
  return withoutNulls(value);
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

/** Reads an id in the path. @throws HttpProblem 422 if it is not a UUID */
export function pathId(context: Request, name: string): string {
  const id = context.req.param(name) ?? "";
  if (UUID.test(id)) return id.toLowerCase();
  throw refused(`${name}: expected a UUID, got "${beginning(id, 100)}"`);
}

/** A boolean, as queries spell it. */
export const flag = z.stringbool().optional();

/** One or more texts, as queries spell them: `select=a&select=b`. */
export const texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .optional();

/** Reads a value of a request. What its form does not know is refused, not ignored. @throws HttpProblem 422 */
export function check<Form>(form: z.ZodType<Form>, value: unknown, place: string): Form {
  const isOpen = form instanceof z.ZodObject && !form.def.catchall;
  const result = ((isOpen ? form.strict() : form) as z.ZodType<Form>).safeParse(value);
  if (result.success) return result.data;
  const { path, problem } = fieldProblem({ form, error: result.error, given: value });
  throw refused(`${[place, ...path.map(String)].join(".")}: ${oneLine(problem)}`);
}

function withoutNulls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutNulls);
  return typeof body === "object" && body !== null ? givenFields(body) : body;
}
