import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { Command, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { z } from "zod";
import { LONGEST_PHRASE, MOST_OFFERED } from "../common/bounds.js";
import { UnknownName } from "../common/errors.js";
import { beginning } from "../common/text.js";
import { wireParameters } from "../common/schemas/argumentNames.js";
import { toolLines } from "../models/chat/toolLines.js";
import { whyUnfinished } from "../models/chat/unfinished.js";
import { toolView, viewsWithSeen } from "../nodes/policy/modelView.js";
import type { OfferedTool } from "../nodes/kit/stageInputs.js";
import { isSavedPlan } from "../tools/calls/engine/savedPlan.js";
import type { ToolRecord } from "../tools/tool.js";
import { freeName } from "../tools/library/wireNames.js";
import { estimateTokens } from "../common/tokens.js";
import { asCalled, namedCall, withOwnCalls } from "./calledTools.js";
import {
  CALL_TOOL,
  FIND_SCHEMA,
  FIND_TOOLS,
  described,
  foundText,
  outcomeMessage,
  placeOf,
  readFind,
  refusedAsCut,
} from "./controlTools.js";
import { planTool } from "./plainTools.js";
import type { Found, Toolbox } from "./toolbox.js";
import { type Windows, askWithinWindow } from "./window.js";

/** Options of the middleware. */
export interface MiddlewareOptions {
  /**
   * How many found tools the model is shown at once; more stay callable. Providers accept 128, the agent's own
   * included.
   * @default 100
   */
  maxTools?: number;
  /**
   * How many tools to find for the user's message before the model is asked. This saves a model call if no others are
   * needed. With 0, only the model searches.
   * @default 3
   */
  searchFirst?: number;
  /**
   * Whether the model may also make several calls as one program (`run_plan`), which takes fewer model calls. Other
   * middleware does not see the calls of a program; those that need an approval are asked about.
   * @default false
   */
  plans?: boolean;
  /**
   * How the model calls found tools. `called`: with one fixed tool, `call_tool({ name, arguments })`; their signatures
   * stand in the conversation, so the list of tools and the beginning of the prompt never change, and stay in the
   * provider's cache. `bound`: as tools of their own, which changes the list with each find.
   * @default "bound"
   */
  offer?: "called" | "bound";
}

/** How many tools are found for a whole request; each makes every prompt longer. */
const FOUND_FIRST = 3;

const ids = z.array(z.string());
const byMessage = z.record(z.string(), ids);

/** Private: neither input nor output of the agent, but saved with its checkpoints. */
const stateSchema = new StateSchema({
  _foundTools: new ReducedValue(
    ids.default(() => []),
    { inputSchema: ids, reducer: withFound },
  ),
  // What was found for a message of the user, by its id: told with that message in each later prompt, too.
  _foundFor: new ReducedValue(
    byMessage.default(() => ({})),
    { inputSchema: byMessage, reducer: (before, more) => ({ ...before, ...more }) },
  ),
});

/** Gives an agent a tool that searches the library, and the tools found with it. */
export function toolSearchMiddleware(toolbox: Toolbox, options: MiddlewareOptions = {}) {
  const {
    maxTools = MOST_OFFERED,
    searchFirst = FOUND_FIRST,
    plans = false,
    offer = "bound",
  } = options;
  const isCalled = offer === "called";
  const windows: Windows = new WeakMap();
  // Names of the agent's own tools in the last model call.
  let own: readonly string[] = [FIND_TOOLS];
  const namesOf = (found: readonly string[]) => loadedNames(found, own);
  const named = (found: readonly string[], only: ReadonlySet<string> = new Set(found)) => {
    const records = toolbox.pick([...only]);
    return [...namesOf(found)].flatMap(([name, id]): NamedTool[] => {
      const record = records.get(id);
      return record ? [{ name, record }] : [];
    });
  };
  const called = (name: string, found: readonly string[] = []) => {
    const id = own.includes(name) ? undefined : namesOf(found).get(name);
    return id === undefined ? undefined : toolbox.pick([id]).get(id);
  };
  return createMiddleware({
    name: "TulipgraphToolSearch",
    stateSchema,
    tools: [
      searchTool(toolbox, named, isCalled),
      ...(isCalled ? [callerTool(toolbox, named)] : []),
      ...(plans ? [planTool(toolbox)] : []),
    ],
    async beforeAgent({ messages, _foundTools: before }) {
      const asked = messages.findLast(({ type }) => type === "human");
      const said = asked?.text ?? "";
      if (searchFirst === 0 || said === "") return undefined;
      const found = await toolbox.find([beginning(said, LONGEST_PHRASE)], { atMost: searchFirst });
      const fresh = idsOf(found).filter((id) => !before.includes(id));
      return { _foundTools: idsOf(found), ...(asked?.id && { _foundFor: { [asked.id]: fresh } }) };
    },
    async wrapModelCall(request, handler) {
      own = request.tools.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
      const found = request.state._foundTools ?? [];
      const tools = named(found, new Set(shownOf(found, maxTools)));
      const around = estimateTokens(request.systemMessage.text) + tokensOfTools(tools);
      const bound = isCalled ? [] : tools.map(shownTool);
      const shown = { ...request, tools: [...request.tools, ...bound] };
      const isFound = (name: string) => called(name, found) !== undefined;
      const foundFor = ({ id = "" }: BaseMessage) =>
        firstText(named(found, new Set(request.state._foundFor?.[id])));
      const told = (messages: BaseMessage[]) =>
        isCalled ? asCalled(messages, { isFound, foundFor }) : messages;
      const { reply, shortened } = await askWithinWindow(windows, {
        model: request.model,
        messages: request.messages,
        around,
        ask: async (messages) => await handler({ ...shown, messages: told(messages) }),
      });
      if (!AIMessage.isInstance(reply)) return reply;
      traceTools(reply, { tools, shortened });
      return withOwnCalls(reply, isFound);
    },
    async wrapToolCall(request, handler) {
      const { toolCall, tool, state, runtime } = request;
      const { name, id: toolCallId } = toolCall;
      const record = tool ? undefined : called(name, state._foundTools);
      if (!record) return await handler(request);
      const { messages } = state;
      const refused = refusedAsCut({ messages, name, toolCallId });
      if (refused) return refused;
      const place = placeOf({ messages, configurable: runtime.configurable, toolCallId });
      const target = runnableTool(toolbox, { name, record }, { toolCallId, ...place });
      return await handler({ ...request, tool: target });
    },
    afterModel: {
      canJumpTo: ["model"],
      async hook(state, runtime) {
        const reply = state.messages.findLast((message) => AIMessage.isInstance(message));
        const held = (reply?.tool_calls ?? []).filter(({ name }) => {
          const record = called(name, state._foundTools);
          // A saved plan asks about its own calls.
          return record !== undefined && toolbox.needsApproval(record) && !isSavedPlan(record);
        });
        if (!reply || held.length === 0 || whyUnfinished(reply)) return undefined;
        // LangChain's own form of request, so that a user interface need know only one.
        const interruptOn = Object.fromEntries(held.map(({ name }) => [name, true]));
        const { afterModel: asking } = humanInTheLoopMiddleware({ interruptOn });
        const ask = typeof asking === "function" ? asking : asking?.hook;
        return await ask?.(state, { ...runtime, context: ASKED });
      },
    },
  });
}

/**
 * The ids of found tools by the names that the model is shown. Ids are unique in a library, so a name follows from its
 * id alone and does not change when more tools are found. It gets a suffix made from its id only if another id gives
 * the same name or the agent has a tool with that name.
 *
 * @param ids in the order in which they were found
 * @param taken names of the agent's own tools
 */
function loadedNames(ids: readonly string[], taken: Iterable<string>): Map<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const id of ids) {
    const name = freeName({ id, name: id, taken: used });
    used.add(name);
    names.set(name, id);
  }
  return names;
}

/** All ids found so far, each once, in the order in which they were first found. */
function withFound(before: readonly string[], found: readonly string[]): string[] {
  return [...new Set([...before, ...found])];
}

/**
 * The found tools to show. If there are too many, the oldest are dropped, a quarter of the bound at a time: the list
 * then starts with the same tools through many further finds, which keeps the provider's prompt cache useful.
 */
function shownOf(ids: readonly string[], most: number): readonly string[] {
  const surplus = ids.length - most;
  if (surplus <= 0) return ids;
  const quarter = Math.max(1, Math.floor(most / 4));
  return ids.slice(Math.ceil(surplus / quarter) * quarter);
}

/** Replaces the agent's context, which may configure the approval of other tools. */
const ASKED = { descriptionPrefix: "A person has to approve this call" };

/** What a first search has found, as the model is told with the user's message. */
function firstText(tools: readonly NamedTool[]): string {
  return tools.length === 0 ? "" : `Tools that may serve (${CALL_TOOL}):\n${signaturesOf(tools)}`;
}

function signaturesOf(tools: readonly NamedTool[]): string {
  return linesOf(tools.map(({ name, record }) => toolView([name, record])));
}

function linesOf(views: readonly OfferedTool[]): string {
  return toolLines(
    views.map((view) => ({ ...view, parameters: wireParameters(view.parameters).parameters })),
  );
}

/** Also tells the types of results as seen so far, so it belongs where it is written once and kept. */
async function seenSignaturesOf(
  tools: readonly NamedTool[],
  { workspace }: Toolbox,
): Promise<string> {
  const named = new Map(tools.map(({ name, record }) => [name, record]));
  return linesOf(await viewsWithSeen(named, workspace));
}

/** The one tool through which found tools are called; the middleware hands on calls of those, so it sees only others. */
function callerTool(
  toolbox: Toolbox,
  named: (found: readonly string[], only: ReadonlySet<string>) => NamedTool[],
) {
  return langChainTool(
    async (given: Record<string, unknown>, runtime) => {
      const { toolCallId = "", state } = runtime as SearchRuntime;
      const { name } = namedCall(given);
      const record = await toolbox.get(toolbox.groups().toolNamed(name) ?? name).catch(unknownText);
      if (typeof record === "string") return record;
      const { id } = record;
      const found = withFound(state?._foundTools ?? [], [id]);
      const tools = named(found, new Set([id]));
      const message = new ToolMessage({
        name: CALL_TOOL,
        tool_call_id: toolCallId,
        status: "error",
        content: `It was not called, because you had not seen what it takes. Call it again:\n${await seenSignaturesOf(tools, toolbox)}`,
      });
      return new Command({ update: { messages: [message], _foundTools: [id] } });
    },
    {
      name: CALL_TOOL,
      description: "Call a tool whose signature you have seen in this conversation.",
      schema: CALL_SCHEMA,
    },
  );
}

/** What the model is told of a tool that does not exist, with those that do. */
function unknownText(error: unknown): string {
  if (error instanceof UnknownName) return error.message;
  throw error;
}

const CALL_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, arguments: { type: "object" } },
  required: ["name", "arguments"],
} as const;

/** The tool with which the model searches for more tools. */
function searchTool(
  toolbox: Toolbox,
  named: (found: readonly string[]) => NamedTool[],
  isCalled: boolean,
) {
  return langChainTool(
    async (given, runtime) => {
      const { queries, limit } = readFind(given);
      const { toolCallId = "", state } = runtime as SearchRuntime;
      const found = await toolbox.find(queries, { limit });
      const before = state?._foundTools ?? [];
      const tools = named(withFound(before, idsOf(found)));
      const names = new Map(tools.map(({ name, record }) => [record.id, name]));
      const loaded = tools.filter(({ record }) => !before.includes(record.id));
      const message = new ToolMessage({
        name: FIND_TOOLS,
        tool_call_id: toolCallId,
        content: [
          ...found.map((each) =>
            foundText(each, each.tools.map(({ id }) => names.get(id) ?? id).join(", ")),
          ),
          ...(isCalled && loaded.length > 0 ? [await seenSignaturesOf(loaded, toolbox)] : []),
        ].join("\n"),
        artifact: {
          loaded: loaded.map(({ name, record }) => ({
            tool: record.id,
            name,
            tokens: schemaTokens(record),
          })),
        },
      });
      return new Command({ update: { messages: [message], _foundTools: idsOf(found) } });
    },
    {
      name: FIND_TOOLS,
      description: described(
        isCalled
          ? `Search for tools by what is to be done. Call those found with ${CALL_TOOL}.`
          : "Search for tools that are not on offer yet. Those found are on offer from then on.",
        toolbox,
      ),
      schema: FIND_SCHEMA,
    },
  );
}

/** What an agent passes to its tools besides the arguments. */
interface SearchRuntime {
  toolCallId?: string;
  state?: { _foundTools?: string[] };
}

/** The best tool of each query comes before the second best of any. */
function idsOf(found: readonly Found[]): string[] {
  const most = Math.max(0, ...found.map(({ tools }) => tools.length));
  const byRank = Array.from({ length: most }, (_, rank) =>
    found.flatMap(({ tools }) => tools[rank]?.id ?? []),
  );
  return [...new Set(byRank.flat())];
}

/**
 * Notes on the reply which tools the model was shown, how many tokens they took, and how many messages were shortened to
 * fit into the model's window. Traces show this with the message;
 * it is not sent to a provider.
 */
function traceTools(
  reply: AIMessage,
  { tools, shortened }: { tools: readonly NamedTool[]; shortened: number },
): void {
  const tulipgraph = {
    tools: tools.map(({ name }) => name),
    tokens: tokensOfTools(tools),
    ...(shortened > 0 ? { shortened } : {}),
  };
  reply.response_metadata = { ...reply.response_metadata, tulipgraph };
}

/** A found tool, with the name that the model is shown. */
interface NamedTool {
  name: string;
  record: ToolRecord;
}

/** A tool as the model is shown it; calls go through {@link runnableTool}. */
function shownTool({ name, record: { description, parameters } }: NamedTool) {
  const { parameters: schema } = wireParameters(parameters);
  return langChainTool(() => "", { name, description, schema });
}

/** A tool that is called through the runtime, which checks arguments with messages that a model can use. */
function runnableTool(
  toolbox: Toolbox,
  { name, record }: NamedTool,
  call: ReturnType<typeof placeOf> & { toolCallId: string | undefined },
) {
  const { toolCallId, ...place } = call;
  return langChainTool(
    async (args: Record<string, unknown>, { signal }) => {
      const asks = "needed" as const;
      const own = wireParameters(record.parameters).read(args);
      const made = { tool: record, args: own, ...place, asks, ...(signal ? { signal } : {}) };
      const outcome = await toolbox.call(made);
      return outcomeMessage({ name, toolCallId, outcome });
    },
    { name, description: record.description, schema: ANY_ARGUMENTS },
  );
}

const ANY_ARGUMENTS = { type: "object", properties: {}, additionalProperties: true } as const;

function tokensOfTools(tools: readonly NamedTool[]): number {
  return tools.reduce((sum, { record }) => sum + schemaTokens(record), 0);
}

/** Tokens a tool takes when shown to a model. */
function schemaTokens({ name, description, parameters }: ToolRecord): number {
  return estimateTokens(JSON.stringify({ name, description, parameters }));
}
