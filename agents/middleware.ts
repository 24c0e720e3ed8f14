import { AIMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { z } from "zod";
import { LONGEST_PHRASE, MOST_OFFERED } from "../common/bounds.js";
import { InvalidSetting } from "../common/errors.js";
import { beginning } from "../common/text.js";
import { readNamed } from "../common/schemas/issueText.js";
import { wireParameters } from "../common/schemas/argumentNames.js";
import { whyUnfinished } from "../models/chat/unfinished.js";
import { cannotWait } from "../nodes/kit/runBasics.js";
import type { ToolRecord } from "../tools/tool.js";
import { isSavedPlan } from "../tools/calls/engine/savedPlan.js";
import { estimateTokens } from "../common/tokens.js";
import { isSchema as isObject } from "../common/schemas/referredSchema.js";
import { callerNameOf } from "../models/offering/calledTools.js";
import type { NamedTool } from "../models/offering/namedTools.js";
import { offeredTools } from "../models/offering/offeredTools.js";
import { answerUnseen, finderOf, idsOf, searchTool, withFound } from "./searchTool.js";
import { groupOf } from "../common/codeNames.js";
import { type Settings, settingsSchema } from "../state/settings.js";
import { FIND_TOOLS, outcomeMessage, placeOf, refusedAsCut } from "./controlTools.js";
import { loadedNames, shownTool, tokensOfTools, toldTools } from "./foundTools.js";
import { planTool } from "./plainTools.js";
import type { Toolbox } from "./toolbox.js";
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
   * How the model is offered found tools. `called`: one fixed tool, `call_tool({ name, arguments })`, calls them, and their
   * signatures stand in the conversation. `native`: the same in the provider's own encoding, for Anthropic's and OpenAI's
   * models that have one; others as `called`. Either way the list of tools and the beginning of the prompt never change,
   * and stay in the provider's cache. `bound`: as tools of their own, which changes the list with each find. `auto`:
   * `native` where the provider documents it for the model, `bound` for a model on this machine, else `called`.
   * @default "auto"
   */
  offer?: Settings["offer"];
}

const OPTIONS = {
  kind: "option",
  schema: z.object({
    maxTools: z.int().positive().default(MOST_OFFERED),
    // Each makes every prompt longer.
    searchFirst: z.int().nonnegative().default(3),
    plans: z.boolean().default(false),
    offer: settingsSchema.shape.offer,
  }),
};

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

/**
 * Gives an agent a tool that searches the library, and the tools found with it.
 *
 * @throws UnknownName, InvalidSetting for an option that does not exist, or a value that it does not take
 */
export function toolSearchMiddleware(toolbox: Toolbox, options: MiddlewareOptions = {}) {
  const { maxTools, searchFirst, plans, offer } = readNamed(OPTIONS, options);
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
    const id = own.includes(name)
      ? undefined
      : (namesOf(found).get(name) ?? namesInAll(toolbox, own).get(name));
    return id === undefined ? undefined : toolbox.pick([id]).get(id);
  };
  return createMiddleware({
    name: "TulipgraphToolSearch",
    stateSchema,
    tools: [searchTool(toolbox, named), ...(plans ? [planTool(toolbox)] : [])],
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
      const only = (wanted: unknown) => named(found, new Set(ids.safeParse(wanted).data));
      const library = () => {
        const all = toolbox.all();
        return named(withFound(found, all), new Set(all)).toSorted(byName);
      };
      const offered = offeredTools(offer, {
        model: request.model,
        finder: finderOf(toolbox),
        caller: callerNameOf(own),
        told: () => toldTools(toolbox, library),
        size: () => toolbox.all().length,
        isFound: (name) => called(name, found) !== undefined,
        groupOf(name) {
          const record = called(name, found);
          const groups = toolbox.groups();
          const group = record && groupOf(groups.functionName(record));
          return groups.list.find((each) => each.name === group);
        },
        toolOf(said, args) {
          if (namesOf(found).has(said)) return said;
          const id = toolbox.groups().toolNamed(said) ?? namesInAll(toolbox, own).get(said) ?? said;
          const record = toolbox.pick([id]).get(id);
          // What the model knows of a tool that it has not found shows in the arguments.
          if (!record || !fits(args, record)) return undefined;
          return [...namesInAll(toolbox, own)].find(([, each]) => each === id)?.[0];
        },
        foundFor: ({ id = "" }) => only(request.state._foundFor?.[id]),
        foundBy: ({ artifact }) => only(isObject(artifact) && artifact["found"]),
        loadedBy: ({ artifact }) => only(isObject(artifact) && artifact["fresh"]),
        library,
      });
      const { reply, shortened } = await askWithinWindow(windows, {
        model: request.model,
        messages: request.messages,
        around,
        ask: async (messages) => {
          const { modelSettings } = request;
          return await handler({
            ...request,
            messages: offered?.messages(messages) ?? messages,
            tools: offered?.sent(request.tools) ?? [...request.tools, ...tools.map(shownTool)],
            ...(offered?.settings && { modelSettings: { ...offered.settings, ...modelSettings } }),
          });
        },
      });
      if (!AIMessage.isInstance(reply)) return reply;
      traceTools(reply, { tools, shortened });
      return offered?.read(reply) ?? reply;
    },
    async wrapToolCall(request, handler) {
      const { toolCall, tool, state, runtime } = request;
      const { name, id: toolCallId } = toolCall;
      const record = tool ? undefined : called(name, state._foundTools);
      if (!tool && name === callerNameOf(own))
        return await answerUnseen({ toolbox, named, toolCall, state });
      if (!record) return await handler(request);
      const agent = { state, configurable: runtime.configurable, toolCallId };
      const refused = refusedAsCut(name, agent);
      if (refused) return refused;
      const place = placeOf(agent);
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
        const { afterModel: asking } = humanInTheLoopMiddleware({ interruptOn, ...ASKED });
        const ask = typeof asking === "function" ? asking : asking?.hook;
        // The agent's own context may configure the approval of other tools.
        try {
          return await ask?.(state, { ...runtime, context: ASKED });
        } catch (error) {
          if (!cannotWait(error)) throw error;
          throw new InvalidSetting({
            setting: "checkpointer",
            problem: `a person has to approve ${held.map(({ name }) => name).join(", ")}, and the agent cannot wait`,
            hint: 'give createAgent a checkpointer, or createToolSearch approval: "none"',
          });
        }
      },
    },
  });
}

/** Whether a call has the arguments that a tool needs, and no others; their values are checked when it is made. */
function fits(args: Record<string, unknown>, { parameters }: ToolRecord): boolean {
  const { properties, required } = wireParameters(parameters).parameters;
  const isNamed = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
  const needed = Array.isArray(required) ? required : [];
  return needed.every((name) => Object.hasOwn(args, name)) && Object.keys(args).every(isNamed);
}

/** The names of all tools of a toolbox, kept until they change. */
const IN_ALL = new WeakMap<Toolbox, { groups: object; own: string; names: Map<string, string> }>();

function namesInAll(toolbox: Toolbox, own: readonly string[]): Map<string, string> {
  const groups = toolbox.groups();
  const key = own.join();
  const kept = IN_ALL.get(toolbox);
  if (kept?.groups === groups && kept.own === key) return kept.names;
  const names = loadedNames(toolbox.all(), own);
  IN_ALL.set(toolbox, { groups, own: key, names });
  return names;
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

const ASKED = { descriptionPrefix: "A person has to approve this call" };

function byName(one: NamedTool, other: NamedTool): number {
  return one.name < other.name ? -1 : 1;
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
      return outcomeMessage(name, outcome, toolCallId);
    },
    { name, description: record.description, schema: ANY_ARGUMENTS },
  );
}

const ANY_ARGUMENTS = { type: "object", properties: {}, additionalProperties: true } as const;
