import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type ChatEndpoint, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

let endpoint: ChatEndpoint | undefined;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
afterEach(async () => {
  vi.unstubAllEnvs();
  await endpoint?.close();
});

it("runs cot_tulip against an endpoint that speaks OpenAI's protocol", async () => {
  const { result, bodies } = await run([
    { content: '{"subtasks":["Double 21"]}', usage: USAGE },
    {
      calls: [
        {
          name: "search_tools",
          arguments: '{"searches":[{"subtask":1,"phrase":"double a number"}]}',
        },
      ],
      usage: USAGE,
    },
    { calls: [{ name: "double_number", arguments: '{"value":21}' }], usage: USAGE },
    { calls: [{ name: "stop", arguments: '{"message":"It is 42.","solved":true}' }], usage: USAGE },
  ]);
  expect(result).toMatchObject({ status: "solved", answer: "It is 42." });
  expect(result.calls).toMatchObject([{ tool: "double_number", result: 42 }]);
  expect(result.usage).toMatchObject({ modelCalls: 4, inputTokens: 400, outputTokens: 40 });
  expect(result.usage.estimated).toBeUndefined();
  const [decompose, phraseSearch, act, stop] = bodies;
  expect(decompose).toMatchObject({ response_format: { type: "json_schema" } });
  expect(phraseSearch).toMatchObject({ tool_choice: { function: { name: "search_tools" } } });
  expect(act).toMatchObject({ tool_choice: "required" });
  const messages = stop?.["messages"] as { role: string; content: unknown }[];
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool"]);
  expect(messages.at(-1)?.content).toBe("42");
});

const USAGE = { input: 100, output: 10 };

async function run(replies: Parameters<typeof scripted>[0]) {
  endpoint = await startChatEndpoint(scripted(replies));
  vi.stubEnv("OPENAI_BASE_URL", endpoint.url);
  vi.stubEnv("OPENAI_API_KEY", "test-key");
  const context = { ...TEST_LIBRARY, model: "openai:test-model" };
  const input = { request: "Double the number 21" };
  const result = (await graphs.cot_tulip.graph.invoke(input, { context })) as GraphState;
  return { result, bodies: endpoint.bodies as Record<string, unknown>[] };
}

function scripted(replies: ReturnType<Parameters<typeof startChatEndpoint>[0]>[]) {
  return (_request: unknown, index: number) => replies[index] ?? { status: 500, body: "no reply" };
}
