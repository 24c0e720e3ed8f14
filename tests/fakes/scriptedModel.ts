import { randomUUID } from "node:crypto";
import type { BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { registerChatProvider } from "../../models/providers.js";
import type { Stage, StageInputs } from "../../nodes/kit/stageInputs.js";
import { FINISH, SEARCH_TOOLS, STOP } from "../../tools/control.js";

/** What a scripted model is asked. */
export type Question = {
  [S in Stage]: { stage: S; input: StageInputs[S]; messages: BaseMessage[]; tools: string[] };
}[Stage];

/** What it answers: a message in short form, a whole message, or a failure. */
export type Reply =
  | { subtasks: string[] }
  | { searches: { subtask: number; phrase: string }[] }
  | { calls: { name: string; args: unknown; id?: string }[] }
  | { stop: string; solved?: boolean }
  | { finish: string }
  | { giveUp: string }
  | { text: string }
  | AIMessage
  | Error;

/** A model that answers from a script, and keeps what it was asked. */
export interface ScriptedModel {
  /** As a run's `model` setting: "fake:NAME". */
  spec: string;
  questions: Question[];
}

type Script = (question: Question, index: number) => Reply | Promise<Reply>;

const scripts = new Map<string, { script: Script; questions: Question[] }>();

registerChatProvider("fake", {
  structuredReplies: "stage",
  maxTools: 128,
  makeChat: async (name) => new ScriptedChatModel(name),
});

/**
 * Makes a scripted model: replies in order (the last one again and again), or a function.
 *
 * @param name to be found again in another process; by default a new one
 */
export function scriptedModel(
  script: Reply[] | Script,
  name: string = randomUUID(),
): ScriptedModel {
  const inOrder: Script = (_question, index) =>
    (script as Reply[])[Math.min(index, script.length - 1)] ?? { text: "" };
  const entry = { script: typeof script === "function" ? script : inOrder, questions: [] };
  scripts.set(name, entry);
  return { spec: `fake:${name}`, questions: entry.questions };
}

interface CallOptions extends BaseChatModelCallOptions {
  stage?: Stage;
  input?: StageInputs[Stage];
  tools?: { function: { name: string } }[];
}

class ScriptedChatModel extends BaseChatModel<CallOptions> {
  constructor(readonly scriptName: string) {
    super({});
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: NonNullable<CallOptions["tools"]>) {
    return this.withConfig({ tools });
  }

  async _generate(messages: BaseMessage[], options: CallOptions): Promise<ChatResult> {
    const entry = scripts.get(this.scriptName);
    if (!entry) throw new Error(`no script ${this.scriptName}`);
    const question = {
      stage: options.stage,
      input: options.input,
      messages,
      tools: (options.tools ?? []).map((tool) => tool.function.name),
    } as Question;
    entry.questions.push(question);
    const reply = await entry.script(question, entry.questions.length - 1);
    if (reply instanceof Error) throw reply;
    const message = toMessage(reply);
    return { generations: [{ text: message.text, message }] };
  }
}

function toMessage(reply: Exclude<Reply, Error>): AIMessage {
  if (AIMessage.isInstance(reply)) return reply;
  if ("text" in reply) return withUsage({ content: reply.text });
  if ("subtasks" in reply) return withUsage({ content: JSON.stringify(reply) });
  if ("searches" in reply) return withCalls([{ name: SEARCH_TOOLS.name, args: reply }]);
  if ("calls" in reply) return withCalls(reply.calls);
  if ("finish" in reply) return withEnd("give_answer", reply.finish);
  if ("giveUp" in reply) return withEnd("give_up_and_restart", reply.giveUp);
  const args = { message: reply.stop, solved: reply.solved ?? true };
  return withCalls([{ name: STOP.name, args }]);
}

function withEnd(return_type: string, final_answer: string): AIMessage {
  return withCalls([{ name: FINISH.name, args: { return_type, final_answer } }]);
}

function withCalls(calls: { name: string; args: unknown; id?: string }[]): AIMessage {
  const tool_calls = calls.map(({ name, args, id }) => ({
    id: id ?? `call_${randomUUID()}`,
    name,
    args: args as Record<string, unknown>,
    type: "tool_call" as const,
  }));
  return withUsage({ content: "", tool_calls });
}

function withUsage(fields: { content: string; tool_calls?: AIMessage["tool_calls"] }): AIMessage {
  return new AIMessage({
    ...fields,
    usage_metadata: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
  });
}
