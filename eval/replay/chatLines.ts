import { canonicalJson } from "../../tools/library/records/hash.js";
import { wireNames } from "../../tools/library/wireNames.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { shuffledFirst } from "../benchmarks/selectTasks.js";
import { inRandomOrder, randomFor } from "../statistics/random.js";
import type { RecordedTask } from "./recordRuns.js";
import { ownCalls } from "./recording.js";
import type { RecordedRuns } from "./recordingFile.js";

/** A message in the form of OpenAI's chat completions. */
interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A conversation to learn from, as OpenAI's fine-tuning, TRL and Unsloth take it. */
export interface ChatLine {
  messages: ChatMessage[];
  tools: {
    type: "function";
    function: Pick<ToolDefinition, "name" | "description" | "parameters">;
  }[];
}

const SYSTEM = "Fulfil the request with the tools, and answer from their results.";

/**
 * Recorded runs as conversations to train a model on (TPTU-v2, LLM finetuner): the request, each call with its result, and
 * the answer. Of runs that asked and did the same, one is kept; failed calls are left out. As in the third published set,
 * irrelevant tools are added, and the order of tools is drawn.
 *
 * @param options.others how many tools are added that a run did not call
 */
export function chatLines(
  { library, tasks }: RecordedRuns,
  { others, seed }: { others: number; seed: number },
): ChatLine[] {
  const names = wireNames({ tools: library.tools });
  const nameOf = (id: string) => names.get(id) ?? id;
  const seen = new Set<string>();
  return tasks.flatMap((task) => {
    const calls = ownCalls(task.recording).filter(({ error }) => error === undefined);
    const key = canonicalJson([task.query, calls.map(({ tool, args }) => [tool, args])]);
    if (calls.length === 0 || seen.has(key)) return [];
    seen.add(key);
    const random = randomFor(`${seed} ${task.id}`);
    const called = new Set(calls.map(({ tool }) => tool));
    const own = library.tools.filter(({ id }) => called.has(id));
    const rest = library.tools.filter(({ id }) => !called.has(id));
    const offered = [...own, ...shuffledFirst(rest, others, random)];
    return [
      {
        messages: messagesOf(task, calls, nameOf),
        tools: inRandomOrder(offered, random).map((tool) => ({
          type: "function" as const,
          function: {
            name: nameOf(tool.id),
            description: tool.description,
            parameters: tool.parameters,
          },
        })),
      },
    ];
  });
}

function messagesOf(
  { query, recording }: RecordedTask,
  calls: ReturnType<typeof ownCalls>,
  nameOf: (id: string) => string,
): ChatMessage[] {
  const { background, instructions } = recording.settings;
  const system = [instructions ?? SYSTEM, background].filter(Boolean).join("\n\n");
  return [
    { role: "system", content: system },
    ...recording.earlier.flatMap(({ request, answer }): ChatMessage[] => [
      { role: "user", content: request },
      { role: "assistant", content: answer },
    ]),
    { role: "user", content: query },
    ...calls.flatMap(({ tool, args, result }, at): ChatMessage[] => {
      const call = { name: nameOf(tool), arguments: JSON.stringify(args) };
      const id = `call_${at}`;
      const content = typeof result === "string" ? result : JSON.stringify(result ?? null);
      return [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id, type: "function", function: call }],
        },
        { role: "tool", tool_call_id: id, content },
      ];
    }),
    { role: "assistant", content: recording.answer },
  ];
}

/** How many conversations have one call, and how many several, as the published sets are described. */
export function stepCounts(lines: readonly ChatLine[]): { single: number; multi: number } {
  const single = lines.filter(({ messages }) => {
    return messages.filter(({ role }) => role === "tool").length === 1;
  }).length;
  return { single, multi: lines.length - single };
}
