import { z } from "zod";
import { InvalidSetting } from "../../common/errors.js";
import { type ProjectExport, loadExport } from "../../graphs/projects.js";
import { meets } from "../api/requests.js";
import { forbidden, HttpProblem } from "../problem.js";
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
    throw forbidden(`the project does not allow ${event}`);
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
  const held = typeof metadata === "string" ? (JSON.parse(metadata) as Filter) : metadata;
  const filter = project.sees[resource];
  return (
    filter !== undefined &&
    Object.entries(filter).every(([key, wanted]) => meets(held[key], wanted))
  );
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
