import { isDeepStrictEqual } from "node:util";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { InvalidSetting } from "../../common/errors.js";
import { type ProjectExport, loadExport } from "../../graphs/projects.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import type { Caller } from "./caller.js";

/** Whose are all rows that the users of a project's own authentication make: its filters say who sees which. */
export const PROJECT = "project:";

/** What a project's handlers answer: nothing more to look at, or what the metadata of a row must hold. */
type Filter = Record<string, unknown>;

/** A user of a project, as its `authenticate` tells, and what its handlers let them see for the request at hand. */
export interface ProjectUser {
  user: Record<string, unknown> & { identity: string; permissions: string[] };
  /** By resource; of one that is missing, nothing is seen. */
  sees: Partial<Record<string, Filter>>;
}

/** LangGraph's `Auth`, whichever copy of the SDK a project has. */
interface Auth {
  authenticate: (request: Request) => unknown;
  callbacks?: Record<string, (asked: object) => unknown>;
}

/** The authentication of a LangGraph.js project. */
export type ProjectAuth = Awaited<ReturnType<typeof openProjectAuth>>;

const RESOURCES = ["threads", "assistants", "crons", "store"];
const ACTIONS = "create read update delete search create_run put get list_namespaces".split(" ");

/**
 * Loads the `Auth` that a project's `langgraph.json` names.
 *
 * @throws InvalidSetting if there is none, or it handles what nothing here asks
 */
export async function openProjectAuth(place: ProjectExport) {
  const { authenticate, callbacks = {} } = authIn(place, await loadExport(place));
  /** What a user sees of the event's resource. The project's handler may change the value. */
  const ask = async ({ user }: ProjectUser, event: string, value: object): Promise<Filter> => {
    const [resource = "", action = ""] = event.split(":");
    const name = [event, resource, `*:${action}`, "*"].find((each) => callbacks[each]);
    const { permissions } = user;
    const asked = { event, resource, action, value, user, permissions };
    const answer = name === undefined ? true : await refusing(() => callbacks[name]?.(asked));
    if (answer == null || answer === true) return {};
    if (typeof answer === "object") return filterForm.parse(answer);
    throw new HttpProblem({ status: 403, problem: `the project does not allow ${event}` });
  };
  return {
    /** Who has sent a request. @throws HttpProblem as the project's `authenticate` says */
    identify: async (request: Request): Promise<Caller> => {
      const given = userForm.parse(await refusing(() => authenticate(request)));
      const user = typeof given === "string" ? { identity: given, permissions: [] } : given;
      const { identity } = user;
      const whole = { is_authenticated: true, display_name: identity, ...user };
      const project = { user: whole, sees: {} };
      return {
        owner: PROJECT,
        id: `user:${identity}`,
        scopes: ["run", "read", "approve"],
        project,
      };
    },
    /**
     * Asks the project's handlers whether one of its users may do something.
     *
     * @param options.value what the handler looks at, and may change
     * @param options.besides events of other resources that are read for it: a refusal hides what they hold
     * @returns the caller with what the handlers let it see
     * @throws HttpProblem 403 or as the handler says
     */
    permit: async (options: {
      caller: Caller;
      event: string;
      value: object;
      besides?: readonly string[];
    }): Promise<Caller> => {
      const { caller, event, value, besides = [] } = options;
      const { project } = caller;
      if (!project) return caller;
      const sees = { [resourceOf(event)]: await ask(project, event, value) };
      for (const other of besides) {
        const seen = await ask(project, other, {}).catch((error: unknown) => {
          if (!(error instanceof HttpProblem)) throw error;
        });
        if (seen) sees[resourceOf(other)] = seen;
      }
      return { ...caller, project: { ...project, sees } };
    },
  };
}

function resourceOf(event: string): string {
  return event.replace(/:.*/, "");
}

/** Whether a project lets one of its users see a row with these metadata; every other caller does. */
export function isShown(
  { project }: Pick<Caller, "project">,
  resource: string,
  metadata: Record<string, unknown> | string,
): boolean {
  if (!project) return true;
  const held = typeof metadata === "string" ? parsed(metadata) : metadata;
  const filter = project.sees[resource];
  return (
    filter !== undefined &&
    Object.entries(filter).every(([key, wanted]) => holds(held[key], wanted))
  );
}

function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if ("$contains" in wanted)
    return Array.isArray(value) && [wanted.$contains].flat().every((each) => value.includes(each));
  return "$eq" in wanted && isDeepStrictEqual(value, wanted.$eq);
}

function parsed(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

const userForm = z.union([
  z.string().min(1),
  z.looseObject({ identity: z.string().min(1), permissions: z.array(z.string()).default([]) }),
]);

const condition = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.strictObject({ $eq: z.unknown() }),
  z.strictObject({ $contains: z.unknown() }),
]);
const filterForm = z.record(z.string(), condition);

function authIn({ file, symbol }: ProjectExport, exported: unknown): Auth {
  const { "~handlerCache": found } = Object(exported) as { "~handlerCache"?: Partial<Auth> };
  const fault = (problem: string, hint?: string) =>
    new InvalidSetting({ setting: `auth ${file}`, problem, hint });
  if (typeof found?.authenticate !== "function")
    throw fault(
      `its export "${symbol}" is no Auth of @langchain/langgraph-sdk/auth that authenticates`,
    );
  const events = RESOURCES.flatMap((resource) => ACTIONS.map((action) => `${resource}:${action}`));
  const known = ["*", ...RESOURCES, ...ACTIONS.map((action) => `*:${action}`), ...events];
  const unknown = Object.keys(found.callbacks ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw fault(
      `it handles "${unknown}", which is not asked here`,
      `Known are: *, ${RESOURCES.join(", ")} and RESOURCE:ACTION`,
    );
  return found as Auth;
}

/** Runs a project's code. What it throws with a status is what the client is told. */
async function refusing<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { status, message } = Object(error) as { status?: unknown; message?: string };
    if (status !== 401 && status !== 403 && status !== 404) throw error;
    throw new HttpProblem({ status, problem: message ?? "not allowed by the project" });
  }
}

const ID = "[^/]+";

/** What a project's handlers are asked about a route, and besides. A run is asked about where it is made (createRun.ts). */
const EVENTS: readonly [method: string, path: string, event: string, besides?: string[]][] = [
  ["POST", "/assistants", "assistants:create"],
  ["POST", "/assistants/(?:search|count)", "assistants:search"],
  ["POST", `/assistants/${ID}/versions`, "assistants:read"],
  ["POST", `/assistants/${ID}/latest`, "assistants:update"],
  ["PATCH", `/assistants/${ID}`, "assistants:update"],
  ["DELETE", `/assistants/${ID}`, "assistants:delete", ["threads:delete"]],
  ["GET", "/assistants/.*", "assistants:read"],
  ["POST", "/threads", "threads:create"],
  ["POST", "/threads/(?:search|count)", "threads:search"],
  ["POST", "/threads/prune", "threads:delete"],
  [
    "POST",
    `/threads/${ID}/(?:history|state/checkpoint|stream/events|commands|undo)`,
    "threads:read",
  ],
  ["POST", `/threads/${ID}/copy`, "threads:create"],
  ["POST", `/threads/${ID}/state`, "threads:update"],
  ["PATCH", `/threads/${ID}(?:/state)?`, "threads:update"],
  ["DELETE", `/threads/${ID}`, "threads:delete"],
  ["POST", `(?:/threads/${ID})?/runs(?:/wait|/stream|/batch)?`, "threads:read"],
  ["POST", `(?:/threads/${ID})?/runs(?:/${ID})?/cancel`, "threads:update"],
  ["DELETE", `(?:/threads/${ID})?/runs/${ID}`, "threads:delete"],
  ["POST", `(?:/threads/${ID})?/runs/crons`, "crons:create", ["assistants:read", "threads:read"]],
  ["POST", "/runs/crons/(?:search|count)", "crons:search"],
  ["GET", `/runs/crons/${ID}`, "crons:read"],
  ["PATCH", `/runs/crons/${ID}`, "crons:update"],
  ["DELETE", `/runs/crons/${ID}`, "crons:delete"],
  ["GET", "/(?:threads|runs)/.*", "threads:read"],
  ["PUT", "/store/items", "store:put"],
  ["GET", "/store/items", "store:get"],
  ["DELETE", "/store/items", "store:delete"],
  ["POST", "/store/items/search", "store:search"],
  ["POST", "/store/namespaces", "store:list_namespaces"],
];

/** What every known caller may ask. */
const OPEN = ["/info", "/docs", "/openapi.json", "/console/caller"];

const NAMED = /\/(thread|run|cron|assistant)s\/([0-9a-f]{8}-[0-9a-f-]{27})/g;

/** What the namespace that a handler sees is called in bodies. */
const PREFIXES: Record<string, string> = {
  "store:search": "namespace_prefix",
  "store:list_namespaces": "prefix",
};

/** Asks a project's handlers about the requests of its users. What none of its events is about is not for them. */
export function askProject(auth: ProjectAuth | undefined): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const caller = context.get("caller");
    const { method, path } = context.req;
    if (!auth || !caller.project || OPEN.includes(path)) return await next();
    const found = EVENTS.find(
      ([verb, form]) => verb === method && new RegExp(`^${form}/?$`).test(path),
    );
    if (!found) {
      const problem = `${method} ${path} is not for users of the project's auth`;
      throw new HttpProblem({
        status: 403,
        problem,
        hint: "It takes a key (tulipgraph keys create)",
      });
    }
    const [, , event, besides] = found;
    const body = await bodyOf(context);
    const { namespace, ...query } = context.req.query();
    const prefix = PREFIXES[event];
    const named = [...path.matchAll(NAMED)].map(([, kind, id]) => [`${kind}_id`, id]);
    const value: Record<string, unknown> = {
      ...query,
      ...(namespace !== undefined && { namespace: namespace.split(".") }),
      ...body,
      ...(prefix && { namespace: body[prefix] }),
      ...Object.fromEntries(named),
      ...(event.startsWith("crons:") && { payload: body }),
    };
    const hasMetadata =
      method === "PATCH" || (event.endsWith(":create") && !path.endsWith("/copy"));
    if (hasMetadata) value["metadata"] ??= {};
    context.set("caller", await auth.permit({ caller, event, value, besides }));
    // What a handler has changed: who made a row, in its metadata, or where an item is.
    const changed = Object.keys(body).concat(hasMetadata ? "metadata" : []);
    if (!/^(?:threads|assistants|crons):search/.test(event) && changed.length > 0) {
      const kept = Object.fromEntries(
        changed.map((key) => [key, value[key === prefix ? "namespace" : key]]),
      );
      context.set("readBody", () => Promise.resolve(kept));
    }
    if (Array.isArray(value["namespace"]) && method === "GET")
      context.set("changedQuery", { namespace: value["namespace"].join(".") });
    await next();
  };
}

/** The fields of a body; none if it is no object, about which the route says more. */
async function bodyOf(context: Context<Environment>): Promise<Record<string, unknown>> {
  if (context.req.method === "GET") return {};
  const read =
    context.get("readBody")?.() ?? context.req.text().then((text) => JSON.parse(text) as unknown);
  const body = await Promise.resolve(read).catch(() => undefined);
  return typeof body === "object" && !Array.isArray(body) ? { ...body } : {};
}
