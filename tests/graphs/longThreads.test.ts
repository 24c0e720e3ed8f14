import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { linesOfChange } from "../../nodes/kit/stage.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import type { ChatBody } from "../fakes/chatEndpoint.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { openAiEndpoint } from "../models/support.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

/** Characters of a prompt that the endpoint takes. */
const MOST = 7000;

const isTooLong = ({ messages }: ChatBody) => JSON.stringify(messages).length > MOST;

/** So long that a few turns fill the window. */
const REQUEST = `Double the number 21. ${"Some more context about my day. ".repeat(60)}`;

/** Replies as each graph wants them. */
const REPLIES: Partial<Record<GraphId, (body: ChatBody) => object>> = {
  tulip: () => ({
    content: `\`\`\`ts\nconst r = await double_number({ value: 21 });\nreturn \`It is \${r}. ${"And more. ".repeat(40)}\`;\n\`\`\``,
  }),
  minimal_tulip: ({ messages }) =>
    messages?.at(-1)?.role === "tool"
      ? {
          calls: [
            {
              name: "stop",
              arguments: { message: `It is 42. ${"And more. ".repeat(40)}`, solved: true },
            },
          ],
        }
      : { calls: [{ name: "double_number", arguments: { value: 21 } }] },
};

it.each(Object.keys(REPLIES) as GraphId[])(
  "a thread of %s goes on when it is longer than the model's window, and says that it was shortened",
  async (id) => {
    const { bodies } = await openAiEndpoint(({ body }) => {
      const message = "the request exceeds the available context size, try increasing it";
      if (isTooLong(body)) return { status: 400, body: { error: { message } } };
      return { id: crypto.randomUUID(), ...REPLIES[id]?.(body) };
    });
    const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
    const config = {
      configurable: { thread_id: crypto.randomUUID() },
      context: { ...TEST_LIBRARY, threshold: 0, model: "openai:gpt-4.1-mini" },
    };
    for (let turn = 1; turn <= 5; turn++) {
      const { status, answer } = (await graph.invoke({ request: REQUEST }, config)) as GraphState;
      expect({ turn, status, answer }).toMatchObject({ turn, status: "solved" });
    }
    const refused = bodies.filter(isTooLong).length;
    expect(refused).toBeGreaterThan(0);
    const lines: unknown[] = [];
    const before: Partial<GraphState> = {};
    const steps = await graph.stream({ request: REQUEST }, { ...config, streamMode: "updates" });
    for await (const step of steps) {
      for (const change of Object.values(step as Record<string, StateUpdate>)) {
        lines.push(...linesOfChange({ change, before }));
        Object.assign(before, change);
      }
    }
    expect(bodies.filter(isTooLong)).toHaveLength(refused);
    expect(lines).toEqual([expect.stringMatching(/^shortened \d+ earlier messages/)]);
  },
);
