import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import type { ChatBody, EndpointReply } from "../fakes/chatEndpoint.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { openAiEndpoint } from "../models/support.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

type Message = HumanMessage | SystemMessage | AIMessage;

/** A run of a graph against a model endpoint that replies so. */
async function runOf(options: {
  id?: GraphId;
  messages: Message[];
  reply: (body: ChatBody) => EndpointReply;
  settings?: Record<string, unknown>;
}) {
  const { id = "tulip", messages, reply, settings } = options;
  const { bodies } = await openAiEndpoint(({ body }) => reply(body));
  const graph = compileGraph(graphs[id].wiring, { name: id });
  const context = { ...TEST_LIBRARY, threshold: 0, model: "openai:gpt-4.1-mini", ...settings };
  const result = (await graph.invoke({ messages }, { context })) as GraphState;
  return { result, bodies };
}

const GREETING = "Hello! How can I help you today?";
const PROGRAM = "```ts\nconst r = await double_number({ value: 21 });\nreturn `It is ${r}.`;\n```";

describe("a greeting that the model answers in words", () => {
  it.each([
    "hi",
    "Hey there!",
    "Danke schön",
    "Merci beaucoup !",
    "你好",
    "What can you do for me?",
  ])("is answered in one call: %s", async (request) => {
    const messages = [new HumanMessage(request)];
    const { result, bodies } = await runOf({ messages, reply: () => ({ content: GREETING }) });
    expect(result).toMatchObject({ status: "answered", answer: GREETING });
    expect(bodies).toHaveLength(1);
  });

  it.each(["react", "minimal_tulip"] as GraphId[])("is answered in %s", async (id) => {
    const messages = [new HumanMessage("hi")];
    const { result, bodies } = await runOf({ id, messages, reply: () => ({ content: GREETING }) });
    expect(result).toMatchObject({ status: "answered", answer: GREETING });
    expect(bodies).toHaveLength(1);
  });

  it.each(["hi, double the number 21", "ok", "Thanks, now delete it", "How much is it?"])(
    "is not answered so if the request may ask for something: %s",
    async (request) => {
      const messages = [new HumanMessage(request)];
      const { result } = await runOf({ messages, reply: () => ({ content: "It is done." }) });
      expect(result.status).toBe("unsolved");
    },
  );
});

const PICTURE = "data:image/png;base64,iVBORw0KGgo=";
const shown = () => [
  new HumanMessage({
    content: [
      { type: "text", text: "Double the number 21" },
      { type: "image_url", image_url: { url: PICTURE } },
    ],
  }),
];

describe("a picture with the request", () => {
  it("is sent to the model", async () => {
    const { result, bodies } = await runOf({
      messages: shown(),
      reply: () => ({ content: PROGRAM }),
    });
    expect(result.status).toBe("solved");
    expect(JSON.stringify(bodies[0]?.messages)).toContain(PICTURE);
  });

  it.each([
    "image input is not supported - hint: you may need to provide the mmproj",
    "Invalid content type. image_url is only supported by certain models.",
    "unknown variant `image_url`, expected `text`",
    "messages[1].content must be a string",
    "small-model is not a multimodal model",
  ])("is named instead where the endpoint refuses it: %s", async (message) => {
    const { result, bodies } = await runOf({
      messages: shown(),
      reply: (body) =>
        JSON.stringify(body).includes("image_url")
          ? { status: 400, body: { error: { message } } }
          : { content: PROGRAM },
    });
    expect(result.status).toBe("solved");
    expect(JSON.stringify(bodies.at(-1)?.messages)).toContain("a picture here that you cannot see");
  });

  it("is named where its price in dollars is not known", async () => {
    const { bodies } = await runOf({
      messages: shown(),
      reply: ({ input }) =>
        input === undefined
          ? { content: PROGRAM }
          : { embeddings: [input].flat().map((text) => [text.length, 1, 0]) },
      settings: { budget: "$1", embeddings: "openai:text-embedding-3-small" },
    });
    expect(JSON.stringify(bodies)).not.toContain(PICTURE);
    expect(JSON.stringify(bodies)).toContain("a picture here that you cannot see");
  });
});

it.each(["tulip", "minimal_tulip"] as GraphId[])(
  "system messages of the conversation are told to the model once, at the start, by %s",
  async (id) => {
    const rule = "Customers are addressed formally.";
    const { bodies } = await runOf({
      id,
      messages: [
        new HumanMessage("hello"),
        new AIMessage("Hello."),
        new SystemMessage(rule),
        new HumanMessage("hi"),
      ],
      reply: () => ({ content: GREETING }),
    });
    const told = (bodies[0]?.messages ?? []).filter((each) => JSON.stringify(each).includes(rule));
    expect(told).toEqual([bodies[0]?.messages?.[0]]);
  },
);
