import { LONGEST_NAME, clipped } from "../common/bounds.js";
import { InvalidSetting, UnknownName, oneLine } from "../common/errors.js";
import { needsApproval } from "../nodes/acting/approval.js";
import { callable } from "../nodes/acting/nestedCalls.js";
import { excessOfPhrases } from "../nodes/shared/excess.js";
import { todayOf } from "../nodes/shared/runBasics.js";
import { fittedArguments } from "../plans/fitStep.js";
import { type Context, type ContextInput, parseContext } from "../state/context.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { Hit } from "../tools/library/nearest.js";
import type { CallOutcome } from "../tools/runtime/callOutcome.js";
import { isConnectedOrigin } from "../tools/sources/connected.js";
import type { ToolRecord } from "../tools/tool.js";
import { type Workspace, openWorkspace } from "../workspace/workspace.js";

/** What agents of others search and call. */
export interface ToolboxSettings extends Pick<
  ContextInput,
  "embeddings" | "threshold" | "keepShare" | "ranking" | "toolIds" | "toolTimeoutMs"
> {
  /**
   * Most tools of each query where it does not say so itself: each that is found is shown to the model from then on.
   * @default 5
   */
  topK?: number;
  /** Name of the library: a shipped catalogue, or one that tools were imported into. */
  library: string;
  /** Folder of the project's data; default: TULIPGRAPH_HOME, else `.tulipgraph`. */
  home?: string;
  /**
   * Which calls a person must approve: those of tools that declare it, all that write, or none, for agents whose
   * calls something else asks about.
   * @default "declared"
   */
  approval?: "declared" | "writes" | "none";
}

/** What a query found, the best first. */
export interface Found {
  query: string;
  tools: (Hit & { record: ToolRecord })[];
}

/** A call that is to be made. */
export interface ToolboxCall {
  tool: ToolRecord;
  args: Record<string, unknown>;
  /** Calls of one thread act on the same world. */
  threadId: string;
  /** Unique in its thread: a call that was made before is answered from the journal. */
  callId: string;
  signal?: AbortSignal;
}

/** A library as agents use it that are not graphs of this project: its search, and calls through its runtime. */
export interface Toolbox {
  readonly settings: Context;
  /** What the library is about and which servers and APIs it has, in a line for a model; empty where nobody says. */
  readonly about: string;
  /**
   * @param options.limit most tools of each query
   * @param options.atMost the same where nobody has asked for so many: behind a clear winner, fewer; default: `topK`
   * @param options.anyDistance finds the nearest, however far
   * @throws InvalidSetting for queries that are too many or too long
   */
  find: (
    queries: readonly string[],
    options?: { limit?: number | undefined; atMost?: number; anyDistance?: boolean },
  ) => Promise<Found[]>;
  /** Those of the tools that there are. */
  pick: (ids: readonly string[]) => Map<string, ToolRecord>;
  /** @throws UnknownName for a tool that is not in the library, with the nearest that are */
  get: (id: string) => Promise<ToolRecord>;
  /** Ids of all tools, in the order of their registration. */
  ids: () => string[];
  needsApproval: (tool: ToolRecord) => boolean;
  /** Makes a call that has been approved or needs no approval; how it fails is part of the outcome. */
  call: (call: ToolboxCall) => Promise<CallOutcome>;
  workspace: Workspace;
}

/**
 * Opens a library for agents of others.
 *
 * @throws UnknownName, InvalidSetting for a library or a setting that is unknown or unusable
 */
export async function openToolbox(settings: ToolboxSettings): Promise<Toolbox> {
  const { home, topK = FOUND, ...given } = settings;
  const context = parseContext({ ...given, topK });
  const workspace = openWorkspace(home === undefined ? {} : { home });
  // A large library takes minutes to embed: its first search waits for that, not whoever opens it.
  const library = await workspace.library(context, undefined, { embed: false });
  const { toolIds } = context;
  const pick = (ids: readonly string[]) =>
    library.pick(toolIds ? ids.filter((id) => toolIds.includes(id)) : ids);
  const find = finder({ context, workspace, pick });
  return {
    settings: context,
    about: aboutText(library),
    workspace,
    find,
    pick,
    async get(id) {
      const tool = pick([id]).get(id);
      if (tool) return tool;
      const near = await find([clipped(id, LONGEST_NAME)], {
        limit: NEAR_SHOWN,
        anyDistance: true,
      });
      const available = near.flatMap(({ tools }) => tools.map((each) => each.id));
      throw new UnknownName({ kind: "tool", wanted: id, available, hint: "search for others" });
    },
    ids: () => library.list().flatMap(({ id }) => ((toolIds?.includes(id) ?? true) ? [id] : [])),
    needsApproval: (tool) => needsApproval(tool, context),
    async call({ tool, args, threadId, callId, signal }) {
      const [outcome] = await workspace.runtime.runCalls({
        threadId,
        calls: [{ id: callId, tool, args: fittedArguments(tool, args) }],
        timeoutMs: context.toolTimeoutMs,
        ...(signal ? { signal } : {}),
        library: {
          get: (id, caller) => callable({ tool: pick([id]).get(id), caller, context }),
          find: (id) => pick([id]).get(id),
        },
        plans: { today: todayOf(context), mostCalls: context.maxPlanCalls },
      });
      if (outcome) return outcome;
      throw new Error(`The call of ${tool.id} has no outcome.`);
    },
  };
}

/** Servers and APIs that are named to a model. */
const SOURCES_NAMED = 20;

function aboutText({ description, origins }: ToolLibrary): string {
  const sources = origins().flatMap(({ origin }) =>
    isConnectedOrigin(origin) ? origin.slice(origin.indexOf(":") + 1) : [],
  );
  const named = sources.slice(0, SOURCES_NAMED).join(", ");
  return [clipped(oneLine(description), LONGEST_ABOUT), named && `With tools of: ${named}.`]
    .filter(Boolean)
    .join(" ");
}

/** Characters of a library's description that are shown with each question to a model. */
const LONGEST_ABOUT = 200;

/** Tools of each query. */
const FOUND = 5;

/**
 * A tool that is so much less likely to be wanted than the best is not shown unasked: it would be in each of the
 * model's prompts from then on (eval/experiments/existingAgents.ts).
 */
const LEAST_CHANCE = 1 / 20;

/** Tools shown beside a name that is none. */
const NEAR_SHOWN = 5;

function finder(options: {
  context: Context;
  workspace: Workspace;
  pick: Toolbox["pick"];
}): Toolbox["find"] {
  const { context, workspace, pick } = options;
  return async (queries, { limit, atMost = context.topK, anyDistance = false } = {}) => {
    const excess = excessOfPhrases(queries);
    if (excess !== undefined) throw new InvalidSetting({ setting: "queries", problem: excess });
    // Sources may have changed since the search before.
    const library = await workspace.library(context, undefined, { embed: false });
    const { results } = await library.search({
      phrases: queries,
      topK: limit ?? atMost,
      within: context.toolIds,
      ranking: context.ranking,
      threshold: context.threshold,
      keepShare: anyDistance ? 1 : context.keepShare,
      asFewAsNeeded: true,
    });
    const records = pick(results.flatMap(({ hits }) => hits.map(({ id }) => id)));
    return results.map(({ phrase, hits }) => ({
      query: phrase,
      tools: (limit === undefined ? clearOf(hits) : hits).flatMap((hit) => {
        const record = records.get(hit.id);
        return record ? [{ ...hit, record }] : [];
      }),
    }));
  };
}

/** The best hit and those that are not much less likely, with what they need. */
function clearOf(hits: readonly Hit[]): readonly Hit[] {
  const [best] = hits;
  const least = (best?.score ?? 0) + Math.log(LEAST_CHANCE);
  return hits.filter(({ score, neededBy }) => score === undefined || score > least || neededBy);
}
