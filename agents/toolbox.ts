import { LONGEST_NAME } from "../common/bounds.js";
import { clipped } from "../common/text.js";
import { InvalidSetting, UnknownName, oneLine } from "../common/errors.js";
import { nearestName } from "../common/nearNames.js";
import { needsApproval } from "../nodes/acting/approval.js";
import { type GivenAnswers, makeAnswered } from "../nodes/acting/askInput.js";
import { awayText } from "../nodes/policy/outOfReach.js";
import { type Contents, contentsOf, MOST_LISTED } from "../nodes/programs/contents.js";
import { groupOf } from "../common/codeNames.js";
import { spreadOver } from "../nodes/programs/toldFunctions.js";
import { excessOfPhrases } from "../nodes/kit/askModel.js";
import { todayOf } from "../nodes/kit/runBasics.js";
import { fittedArguments } from "../plans/steps/fitStep.js";
import {
  type Settings,
  type SettingsInput,
  parseSettings,
  MOST_PLAN_CALLS,
} from "../state/settings.js";
import { LOCAL, type Behalf, type InputAnswer } from "../tools/remote.js";
import { seenBy } from "../home/libraries.js";
import type { LibraryView } from "../tools/library/library.js";
import {
  groupNamed,
  groupsText,
  insteadText,
  type ToolGroups,
} from "../tools/library/records/groups.js";
import { absentTool } from "../tools/library/search/absentTool.js";
import { likelyOf } from "../tools/library/search/rank.js";
import type { Hit } from "../tools/library/vectors/nearest.js";
import type { GivenVectorStore } from "../tools/library/vectors/vectors.js";
import type { CallOutcome } from "../tools/calls/engine/callOutcome.js";
import type { PlanSettings } from "../tools/calls/engine/callScope.js";
import type { ToolRecord } from "../tools/tool.js";
import { type Workspace, openWorkspace } from "../home/workspace.js";

/** Settings of a library for agents that are not graphs of this project. */
export interface ToolboxSettings extends Pick<
  SettingsInput,
  "embeddings" | "threshold" | "ranking" | "toolIds" | "toolTimeoutMs"
> {
  /**
   * How many tools a query finds if it sets no limit itself. The model is shown each of them from then on.
   * @default 5
   */
  topK?: number;
  /** Name of the library: a shipped catalog, or one with imported tools. */
  library: string;
  /** Folder of the project's data; default: TULIPGRAPH_HOME, else `.tulipgraph`. */
  home?: string;
  /**
   * Which calls a person must approve: those of tools that declare it, all that write, or none, for agents with an
   * approval step of their own.
   * @default "declared"
   */
  approval?: "declared" | "writes" | "none";
  /**
   * Where the vectors of the library are searched: a LangChain vector store, or a function that makes one.
   *
   * @default what TULIPGRAPH_VECTOR_STORE exports, else FAISS
   */
  vectorStore?: GivenVectorStore;
  /** On whose behalf calls are made, who also finds no more than they see. @default whoever uses this machine */
  behalf?: Behalf;
}

/** What a query found, the best first. */
export interface Found {
  query: string;
  /** No tool is near enough; those found are only the nearest. */
  unsure: boolean;
  /** If the query is the name of a group: the names of its functions, which can be searched for. */
  members?: readonly string[];
  /** Groups of the tools found that have more: "40 more in git". */
  more: string;
  tools: (Hit & { record: ToolRecord })[];
}

/** A call to make. */
export interface ToolboxCall {
  tool: ToolRecord;
  args: Record<string, unknown>;
  /** Calls of one thread share a world. */
  threadId: string;
  /** Unique in its thread; a call made before is answered from the journal. */
  callId: string;
  signal?: AbortSignal;
  /** If present, even empty, the outcome may be "input": what a person is asked first. */
  answers?: readonly InputAnswer[];
  /** What a saved plan asks a person about; by default, consent to it covers its calls. */
  asks?: PlanSettings["asks"];
  /** Of an agent's run. It pauses for what a person is asked, if it has a checkpointer, as our graphs do. */
  configurable?: Record<string, unknown> | undefined;
}

/** A library as agents outside this project use it: search, and calls through the runtime. */
export interface Toolbox {
  readonly settings: Settings;
  /** What the library is about and which groups it has, in a line for a model; may be empty. */
  readonly about: string;
  /** All functions by group, for a model that writes programs; empty if they do not fit into a prompt. */
  readonly functions: string;
  /**
   * @param options.limit how many tools each query finds
   * @param options.atMost the same if the caller names no number: fewer if there is a clear winner; default: `topK`
   * @throws InvalidSetting for too many or too long queries
   */
  find: (
    queries: readonly string[],
    options?: { limit?: number | undefined; atMost?: number },
  ) => Promise<Found[]>;
  /** What exists and cannot be reached, as a sentence; empty if there is nothing. */
  away: (queries: readonly string[]) => Promise<string>;
  /** The tools with these ids, as far as they exist. */
  pick: (ids: readonly string[]) => Map<string, ToolRecord>;
  /** What the library contains, for a provider that sells what it has cached of a prompt for less. */
  contents: () => Contents;
  /** The ids of all tools. */
  all: () => readonly string[];
  /** @throws UnknownName for a tool that is not in the library, with the nearest ones */
  get: (id: string) => Promise<ToolRecord>;
  /** What programs call the tools. */
  groups: () => ToolGroups;
  needsApproval: (tool: ToolRecord) => boolean;
  /** Makes a call that is approved or needs no approval; a failure is part of the outcome. */
  call: (call: ToolboxCall) => Promise<CallOutcome>;
  workspace: Workspace;
}

/**
 * Opens a library for agents that are not graphs of this project.
 *
 * @param opened the workspace; default: that of the home
 * @throws UnknownName, InvalidSetting for an unknown or unusable library or setting
 */
export async function openToolbox(settings: ToolboxSettings, opened?: Workspace): Promise<Toolbox> {
  const { home, topK = FOUND, vectorStore, behalf = LOCAL, ...given } = settings;
  const context = { ...parseSettings({ ...given, topK }), vectorStore };
  const workspace = opened ?? openWorkspace(home === undefined ? {} : { home });
  // Embedding a large library takes minutes, so the first search waits for it, not the opening.
  const open = async () =>
    await seenBy(behalf, await workspace.library(context), workspace.connections);
  const library = await open();
  const { toolIds } = context;
  // What somebody else may see is decided by a server, tool by tool.
  const lacking = behalf === LOCAL ? toolIds?.find((id) => !library.get(id)) : undefined;
  if (lacking !== undefined) throw absentTool(library, lacking);
  const pick = (ids: readonly string[]) =>
    library.pick(toolIds ? ids.filter((id) => toolIds.includes(id)) : ids);
  const all = () => toolIds ?? library.list().map(({ id }) => id);
  const asks = (tool: ToolRecord) => needsApproval(tool, context);
  const find = finder(context, open, pick);
  return {
    settings: context,
    about: aboutText(library),
    get functions() {
      const contents = contentsOf(library, context);
      return contents.tells === "groups" ? "" : contents.text;
    },
    workspace,
    find,
    async away(queries) {
      return await awayText(await open(), { toolIds, request: queries.join(" ") }, workspace);
    },
    pick,
    contents: () => contentsOf(library, { ...context, contentsTokens: MOST_LISTED.hosted }),
    all,
    async get(id) {
      const tool = pick([id]).get(id);
      if (tool) return tool;
      const near = await find([clipped(id, LONGEST_NAME)], { limit: NEAR_SHOWN });
      const found = near.flatMap(({ tools }) => tools.map((each) => each.id));
      const available = [...new Set([nearestName(id, all()) ?? [], found].flat())];
      const hint = insteadText(id, library.groups(), toolIds) || "search for others";
      throw new UnknownName({ kind: "tool", wanted: id, available, hint });
    },
    groups: library.groups,
    needsApproval: asks,
    async call({ tool, args, threadId, callId, signal, answers, configurable, asks: asksInside }) {
      const run = (given: GivenAnswers) =>
        workspace.runtime.runCalls({
          threadId,
          behalf,
          calls: [{ id: callId, tool, args: fittedArguments(tool, args) }],
          timeoutMs: context.toolTimeoutMs,
          ...(signal ? { signal } : {}),
          library: { get: (id) => pick([id]).get(id), needsApproval: asks },
          plans: {
            today: todayOf(context),
            mostCalls: MOST_PLAN_CALLS,
            ...(asksInside && { asks: asksInside }),
          },
          ...given,
        });
      const [outcome] = configurable
        ? ((await makeAnswered({ config: { configurable }, run })) ?? [])
        : await run({ answers });
      if (outcome) return outcome;
      throw new Error(`The call of ${tool.id} has no outcome.`);
    },
  };
}

/** How many groups a model is told of. */
const GROUPS_NAMED = 20;

function aboutText({ description, groups }: LibraryView): string {
  const named = groupsText(groups(), GROUPS_NAMED);
  const told = clipped(oneLine(description), LONGEST_ABOUT);
  return [told && `The library: ${told}`, named && `Groups of tools in the library: ${named}.`]
    .filter(Boolean)
    .join(" ");
}

/** Characters of a library's description that every prompt contains. */
const LONGEST_ABOUT = 200;

const FOUND = 5;

/** A search looks this much further than it finds. */
const WIDER = 3;

/** How many tools are suggested for an unknown name. */
const NEAR_SHOWN = 5;

function finder(
  settings: Settings,
  open: () => Promise<LibraryView>,
  pick: Toolbox["pick"],
): Toolbox["find"] {
  return async (queries, { limit, atMost = settings.topK } = {}) => {
    const excess = excessOfPhrases(queries);
    if (excess !== undefined) throw new InvalidSetting({ setting: "queries", problem: excess });
    // Sources may have changed since the last search.
    const library = await open();
    const most = limit ?? atMost;
    const { results } = await library.search({
      phrases: queries,
      topK: most * WIDER,
      within: settings.toolIds,
      ranking: settings.ranking,
      threshold: settings.threshold,
      nearOnly: true,
      keepUnsure: true,
      asFewAsNeeded: true,
    });
    const groups = library.groups();
    const found = results.map(({ phrase, hits, abstained }) => {
      const id = groups.toolNamed(phrase) ?? phrase;
      // A tool or a group that is named is meant, whatever the texts say.
      if (pick([id]).size > 0)
        return { query: phrase, unsure: false, hits: [{ id, distance: 0 }], more: "" };
      const members = groupNamed(phrase, groups);
      if (members) return { query: phrase, unsure: false, hits: [], members, more: "" };
      const likely = likelyOf(hits);
      const records = pick(hits.map(({ id }) => id));
      // Each group that may serve has a place, however many near ones another has.
      const places = spreadOver(likely, ({ id }) => {
        const record = records.get(id);
        return record ? groups.functionName(record) : id;
      });
      const isAsked = limit !== undefined || abstained;
      const kept = [...places, ...(isAsked ? hits.slice(likely.length) : [])].slice(0, most);
      const found = kept.flatMap(({ id }) => records.get(id) ?? []);
      return { query: phrase, unsure: abstained, hits: kept, more: moreText(found, groups) };
    });
    const records = pick(found.flatMap(({ hits }) => hits.map(({ id }) => id)));
    return found.map(({ hits, ...answered }) => ({
      ...answered,
      tools: hits.flatMap((hit) => {
        const record = records.get(hit.id);
        return record ? [{ ...hit, record }] : [];
      }),
    }));
  };
}

/** How many tools the groups have of which some were found: a model must not take a part for the whole. */
function moreText(found: readonly ToolRecord[], groups: ToolGroups): string {
  const names = found.map((tool) => groupOf(groups.functionName(tool)) ?? "");
  const counts = groups.list
    .filter(({ name }) => names.includes(name))
    .map(({ name, size }) => ({ name, more: size - names.filter((one) => one === name).length }));
  const others = counts.filter(({ more }) => more > 0);
  return others.map(({ name, more }) => `${more} more in ${name}`).join(", ");
}
