import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { plainKey } from "../../common/nearNames.js";
import { wireParameters } from "../../common/schemas/argumentNames.js";
import { estimateTokens } from "../../common/tokens.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { openChatModel } from "../../models/chat/chat.js";
import { CALL_TOOL } from "../../models/offering/calledTools.js";
import { type NamedTool, schemaTokens, signaturesOf } from "../../models/offering/namedTools.js";
import { type Offered, offeredTools } from "../../models/offering/offeredTools.js";
import { isLocalModel } from "../../models/prices.js";
import type { Settings } from "../../state/settings.js";
import { splitConversation, withKept } from "../../state/history.js";
import type { GraphState } from "../../state/state.js";
import { CONTROL_NAMES, SEARCH_LIBRARY } from "../../tools/control.js";
import type { LibraryView } from "../../tools/library/library.js";
import { wireNames } from "../../tools/library/wireNames.js";
import type { ToolRecord } from "../../tools/tool.js";
import { offeredOf, openOffer } from "../policy/offeredTools.js";
import { unlikelyIn } from "../policy/searchFor.js";
import { type ToolOffer, allTools, boundTools } from "../policy/toolOffer.js";
import { PROGRAM_CALL } from "../programs/programCalls.js";

/** Most tokens for the tools of a model that goes on where a program stopped; it searches for the others. */
const MOST_AFTER_PROGRAM = 1000;

/** How the tools of a run are offered to a model that acts call by call. */
export interface ActOffer {
  library: LibraryView;
  offer: ToolOffer;
  /** Where they stand in messages, so that the list of tools and the system prompt stay the same through the run. */
  found?: Offered;
  /** Whether there are more to be found. */
  mayFind: boolean;
  /** With the first question of a run: the request with the tools that are told with it, or the few that are offered. */
  begun: { request?: HumanMessage; toolIds?: string[] };
}

/**
 * Decides how tools are offered. A model that goes on where a program stopped is offered those that the program has called
 * and the likeliest few.
 *
 * @param options.isFixed the tools that are offered never change
 */
export async function actOffer(
  state: GraphState,
  settings: Settings,
  { isFixed }: { isFixed: boolean },
): Promise<ActOffer> {
  const { library, offer: own } = await openOffer(state, settings);
  const mayFind = mayFindMore(settings, { library, offer: own });
  const told = toldIn(state.messages);
  const isFirst = told === undefined && !hasActed(state);
  const mayCall = (id: string) => settings.toolIds?.includes(id) ?? true;
  const before = everTold(state.messages).filter(mayCall);
  // What stands in earlier messages can be called, too.
  const toolIds = [...new Set([...state.toolIds, ...before])];
  const offer = isFirst ? offeredOf(library, { ...state, toolIds }, settings) : own;
  const isFound = !isFixed && (mayFind || told !== undefined);
  const found = isFound ? await foundOffer({ settings, library, offer }) : undefined;
  if (!isFirst) return { library, offer: own, ...(found && { found }), mayFind, begun: {} };
  const tokensOf = (tool: NamedTool) =>
    found
      ? estimateTokens(signaturesOf([tool]))
      : schemaTokens({ ...tool.record, name: tool.name });
  const all = [...own.offered.values()].map(({ id }) => id);
  const ids = state.program?.code ? fewest(state, own.offered, tokensOf) : all;
  if (found) {
    const fresh = ids.filter((id) => !before.includes(id));
    const request = withKept(state, TOLD, fresh);
    return { library, offer, found, mayFind, begun: { ...(request && { request }), toolIds } };
  }
  if (ids.length === all.length) return { library, offer: own, mayFind, begun: {} };
  const few = offeredOf(library, { ...state, toolIds: ids }, settings);
  return { library, offer: few, mayFind: settings.searchWhileActing, begun: { toolIds: ids } };
}

/** Whether the model has called tools itself in this run. */
function hasActed(state: GraphState): boolean {
  const { since } = splitConversation(state);
  return since.some(
    (message) =>
      AIMessage.isInstance(message) &&
      !message.tool_calls?.some(({ id }) => id?.startsWith(PROGRAM_CALL)),
  );
}

/**
 * Whether the model may search for tools beyond those on offer, and there are any. Once no tool may be called,
 * it may not: the work has to end.
 */
function mayFindMore(
  settings: Settings,
  { library, offer }: { library: LibraryView; offer: ToolOffer },
): boolean {
  if (!settings.searchWhileActing || offer.offered.size === 0) return false;
  const known = new Set([...allTools(offer).values()].map(({ id }) => id));
  const { toolIds } = settings;
  if (!toolIds) return library.size > known.size;
  return toolIds.some((id) => !known.has(id) && library.get(id) !== undefined);
}

/** The tools that a run has called, then the likely ones, as far as their tokens go, at least one. */
function fewest(
  { calls, searches }: GraphState,
  tools: ReadonlyMap<string, ToolRecord>,
  tokensOf: (tool: NamedTool) => number,
): string[] {
  const named = new Map([...tools].map(([name, record]) => [record.id, { name, record }]));
  const unlikely = unlikelyIn(searches);
  const likely = [...named.keys()].filter((id) => !unlikely.has(id));
  const ids = new Set([...calls.map(({ tool }) => tool), ...likely]);
  let left = MOST_AFTER_PROGRAM;
  const few = [...ids]
    .flatMap((id) => named.get(id) ?? [])
    .filter((tool, at) => {
      left -= tokensOf(tool);
      return left >= 0 || at === 0;
    });
  return few.map(({ record }) => record.id);
}

/** Key of the ids of the tools that the model was told with a message of the user. */
const TOLD = "toldTools";

/** The tools that a model has been told in a conversation, if this stands in its messages. */
export function toldIn(messages: readonly BaseMessage[]): string[] | undefined {
  const request = messages.findLast((message) => HumanMessage.isInstance(message));
  return request && TOLD in request.additional_kwargs ? everTold(messages) : undefined;
}

function everTold(messages: readonly BaseMessage[]): string[] {
  return messages.flatMap((message) => [...toldWith(message), ...freshIn(message)]);
}

function toldWith({ additional_kwargs: { [TOLD]: told } }: BaseMessage): string[] {
  return Array.isArray(told) ? told.filter((id) => typeof id === "string") : [];
}

/** The ids of the tools that a search was the first to find. */
function freshIn(message: BaseMessage): string[] {
  const artifact: unknown = ToolMessage.isInstance(message) ? message.artifact : undefined;
  const fresh = isObject(artifact) ? artifact["fresh"] : undefined;
  return Array.isArray(fresh) ? fresh.filter((id) => typeof id === "string") : [];
}

/**
 * Found tools in messages, so that the list of tools and the system prompt stay the same through a whole run; undefined if
 * they are to be bound.
 */
async function foundOffer(options: {
  settings: Settings;
  library: LibraryView;
  offer: ToolOffer;
}): Promise<Offered | undefined> {
  const { settings, library, offer } = options;
  const { model, temperature, seed, maxOutputTokens } = settings;
  if (settings.offer === "bound" || (settings.offer === "auto" && isLocalModel(model)))
    return undefined;
  const { chat } = await openChatModel(model, { temperature, seed, maxOutputTokens });
  const known = allTools(offer);
  const names = new Map([...known].map(([name, { id }]) => [id, name]));
  const named = (ids: readonly string[]): NamedTool[] => {
    const records = library.pick(ids);
    const others = wireNames({ tools: [...records.values()], reserved: CONTROL_NAMES });
    return ids.flatMap((id) => {
      const record = records.get(id);
      return record ? [{ name: names.get(id) ?? others.get(id) ?? id, record }] : [];
    });
  };
  const encoding = offeredTools(settings.offer, {
    model: chat,
    finder: FINDER,
    caller: CALL_TOOL,
    told: () => "",
    size: () => library.size,
    isFound: (name) => !CONTROL_NAMES.includes(name),
    toolOf: (said) =>
      known.has(said) ? said : ([...known.keys()].find((name) => isSame(name, said)) ?? said),
    groupOf: () => undefined,
    foundFor: (message) => named(toldWith(message)),
    foundBy: (message) => named(freshIn(message)),
    loadedBy: (message) => named(freshIn(message)),
    library: () => named(library.list().map(({ id }) => id)),
  });
  if (!encoding) return undefined;
  const read = (reply: AIMessage) => withOwnArguments(encoding.read(reply), known);
  return { ...encoding, read, callable: boundTools(known) };
}

const FINDER = { ...SEARCH_LIBRARY, first: { action_descriptions: ["what the request takes"] } };

function isSame(one: string, other: string): boolean {
  return plainKey(one) === plainKey(other);
}

function withOwnArguments(reply: AIMessage, known: ReadonlyMap<string, ToolRecord>): AIMessage {
  for (const call of reply.tool_calls ?? []) {
    const tool = known.get(call.name);
    if (tool) call.args = wireParameters(tool.parameters).read(call.args);
  }
  return reply;
}
