import { ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { UnknownName } from "../common/errors.js";
import { namedCall } from "../models/offering/calledTools.js";
import {
  type Finder,
  type NamedTool,
  schemaTokens,
  signaturesOf,
} from "../models/offering/namedTools.js";
import {
  type AgentRuntime,
  FIND_SCHEMA,
  FIND_TOOLS,
  foundText,
  readFind,
  searchDescription,
} from "./controlTools.js";
import type { Found, Toolbox } from "./toolbox.js";

/** What the model would have searched for, had it been asked first. */
const FIRST = { queries: ["what the request takes"] };

/** The same for encodings. */
export function finderOf(toolbox: Toolbox): Finder {
  const description = searchDescription(toolbox);
  return { name: FIND_TOOLS, description, parameters: FIND_SCHEMA, first: FIRST };
}

/** The tool with which the model searches for more tools. */
export function searchTool(toolbox: Toolbox, named: (found: readonly string[]) => NamedTool[]) {
  return langChainTool(
    async (given, runtime) => {
      const { queries, limit } = readFind(given);
      const { toolCallId = "", state } = runtime as AgentRuntime;
      const found = await toolbox.find(queries, { limit });
      const before = state?._foundTools ?? [];
      const tools = named(withFound(before, idsOf(found)));
      const names = new Map(tools.map(({ name, record }) => [record.id, name]));
      const loaded = tools.filter(({ record }) => !before.includes(record.id));
      const message = new ToolMessage({
        name: FIND_TOOLS,
        tool_call_id: toolCallId,
        content: found
          .map((each) =>
            foundText(each, each.tools.map(({ id }) => names.get(id) ?? id).join(", ")),
          )
          .concat(await toolbox.away(queries))
          .filter(Boolean)
          .join("\n"),
        artifact: {
          loaded: loaded.map(({ name, record }) => ({
            tool: record.id,
            name,
            tokens: schemaTokens(record),
          })),
          found: idsOf(found),
          fresh: loaded.map(({ record }) => record.id),
          unmet: found
            .filter(({ tools: hits }) => hits.length === 0)
            .map((each) => foundText(each, ""))
            .join("\n"),
        },
      });
      return new Command({ update: { messages: [message], _foundTools: idsOf(found) } });
    },
    {
      name: FIND_TOOLS,
      description: searchDescription(toolbox),
      schema: FIND_SCHEMA,
    },
  );
}

/** The best tool of each query comes before the second best of any. */
export function idsOf(found: readonly Found[]): string[] {
  const most = Math.max(0, ...found.map(({ tools }) => tools.length));
  const byRank = Array.from({ length: most }, (_, rank) =>
    found.flatMap(({ tools }) => tools[rank]?.id ?? []),
  );
  return [...new Set(byRank.flat())];
}

/** All ids found so far, each once, in the order in which they were first found. */
export function withFound(before: readonly string[], found: readonly string[]): string[] {
  return [...new Set([...before, ...found])];
}

/** The answer to a call through the fixed tool that is not one of a found tool; other calls have the names of these. */
export async function answerUnseen(options: {
  toolbox: Toolbox;
  named: (found: readonly string[], only: ReadonlySet<string>) => NamedTool[];
  toolCall: { name: string; id?: string; args: Record<string, unknown> };
  state: AgentRuntime["state"];
}) {
  const { toolbox, named, toolCall, state } = options;
  const { name, id: tool_call_id = "", args } = toolCall;
  const answer = { name, tool_call_id, status: "error" as const };
  const { name: wanted } = namedCall(args);
  const record = await toolbox.get(toolbox.groups().toolNamed(wanted) ?? wanted).catch(unknownText);
  if (typeof record === "string") return new ToolMessage({ ...answer, content: record });
  const { id } = record;
  const tools = named(withFound(state?._foundTools ?? [], [id]), new Set([id]));
  const content = `It was not called, because you had not seen what it takes. Call it again:\n${signaturesOf(tools)}`;
  const message = new ToolMessage({ ...answer, content });
  return new Command({ update: { messages: [message], _foundTools: [id] } });
}

/** What the model is told of a tool that does not exist, with those that do. */
function unknownText(error: unknown): string {
  if (error instanceof UnknownName) return error.message;
  throw error;
}
