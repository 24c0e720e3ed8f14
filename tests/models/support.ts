import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { onTestFinished, vi } from "vitest";
import type { Answer } from "../../models/chat/ask.js";
import type { BoundTool, ModelRequest } from "../../models/prompt.js";
import { type SettingsInput, parseSettings } from "../../state/settings.js";
import { replyToDecompose } from "../../models/offline/replies.js";
import { type DecomposeInput, subtasksForm } from "../../nodes/finding/decompose.js";
import { NOTHING_USED } from "../../state/state.js";
import {
  type ChatEndpoint,
  type EndpointReply,
  type EndpointScript,
  startChatEndpoint,
} from "../fakes/chatEndpoint.js";

/** A key that must never be seen in a message. */
export const KEY = "sk-secret-0123456789abcdef";

/** What a test may set of a question. */
export type QuestionParts = Partial<Omit<ModelRequest, "prompt" | "settings">>;

/** A question of `act`: "What is 2 + 3?", with the tools given. */
export function actQuestion(settings: SettingsInput = {}, parts: QuestionParts = {}): ModelRequest {
  return {
    prompt: {
      stage: "act",
      input: {
        request: "What is 2 + 3?",
        steps: [],
        missed: [],
        tools: [],
        observations: [],
        earlierTurns: [],
      },
      messages: [new SystemMessage("Be exact."), new HumanMessage("What is 2 + 3?")],
    },
    ...settingsOf(settings),
    ...parts,
  };
}

const DECOMPOSED: DecomposeInput = {
  style: "plain",
  request: "r",
  task: "r",
  depth: 0,
  earlierTurns: [],
};

/** A question of `decompose`, which wants a structured reply. */
export function decomposeQuestion(
  settings: SettingsInput = {},
  parts: QuestionParts = {},
): ModelRequest {
  return {
    prompt: {
      stage: "decompose",
      input: DECOMPOSED,
      byRules: async () => replyToDecompose(DECOMPOSED),
      messages: [new HumanMessage("Split: r")],
      schema: subtasksForm.schema,
    },
    ...settingsOf(settings),
    ...parts,
  };
}

function settingsOf(settings: SettingsInput) {
  return {
    settings: parseSettings({ model: "openai:gpt-4.1-mini", ...settings }),
    usage: NOTHING_USED,
    config: {},
  };
}

/** Distinct tools, as many as wanted. */
export function someTools(count: number): BoundTool[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does ${index}`,
    parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  }));
}

/** An endpoint with scripted answers, set in the environment with a key until the test ends. */
export async function openAiEndpoint(
  replies: EndpointReply | EndpointReply[] | EndpointScript,
): Promise<ChatEndpoint> {
  const endpoint = await startChatEndpoint(
    typeof replies === "function" ? replies : inOrder(replies),
  );
  onTestFinished(() => endpoint.close());
  vi.stubEnv("OPENAI_BASE_URL", endpoint.url);
  vi.stubEnv("OPENAI_API_KEY", KEY);
  return endpoint;
}

function inOrder(replies: EndpointReply | EndpointReply[]): EndpointScript {
  const list = [replies].flat();
  return (_request, index) => list[Math.min(index, list.length - 1)] ?? "hang";
}

/** The answer of a model that was asked. */
export function replyOf(answer: Answer): Extract<Answer, { reply: unknown }> {
  if (!("reply" in answer)) throw new Error(`not asked, because of ${JSON.stringify(answer)}`);
  return answer;
}

/** What the promise is rejected with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  const reason: unknown = await promise.then(
    (value) => new Error(`was not rejected, but gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  return reason instanceof Error ? reason : new Error(`no error: ${String(reason)}`);
}
