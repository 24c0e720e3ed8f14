import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { firstModel, surveyModels } from "../../models/firstModel.js";
import { ask } from "../../models/chat/ask.js";
import { parseSettings } from "../../state/settings.js";
import { type EndpointReply, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { KEY, actQuestion } from "./support.js";

const VARIABLES = ["OLLAMA_BASE_URL", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL"];

/** Nothing listens there. */
const NOBODY = "http://127.0.0.1:9";

beforeEach(() => {
  vi.stubEnv("TULIPGRAPH_LOCAL_MODELS", undefined);
  vi.stubEnv("CI", undefined);
  for (const name of VARIABLES) vi.stubEnv(name, NOBODY);
});

/** A list of models as servers with OpenAI's protocol give it. */
const listing = (...ids: string[]): EndpointReply => ({
  status: 200,
  body: { object: "list", data: ids.map((id) => ({ id, object: "model" })) },
});

/** A server on a port of its own, under a variable, and how often it was asked. */
async function server(variable: string, reply: EndpointReply) {
  const endpoint = await startChatEndpoint(({ path }) =>
    path.endsWith("/models") ? reply : { content: "It is 5." },
  );
  onTestFinished(() => endpoint.close());
  vi.stubEnv(variable, endpoint.url);
  return endpoint;
}

describe("The first model", () => {
  it("is that of a key with an installed package, and no server is looked for", async () => {
    const { requests } = await server("VLLM_BASE_URL", listing("qwen3"));
    vi.stubEnv("ANTHROPIC_API_KEY", KEY);
    vi.stubEnv("OPENROUTER_API_KEY", KEY);
    expect(await firstModel()).toEqual({
      model: "openrouter:openai/gpt-4.1-mini",
      why: "OPENROUTER_API_KEY is set",
      offers: [],
    });
    expect(requests).toEqual([]);
  });

  it("is the one that TULIPGRAPH_MODEL names, whatever else is there", async () => {
    vi.stubEnv("TULIPGRAPH_MODEL", "fake:x");
    vi.stubEnv("OPENAI_API_KEY", KEY);
    expect(await firstModel()).toMatchObject({ model: "fake:x" });
    expect(parseSettings({}).model).toBe("fake:x");
  });

  it("offers the one command for a key whose package is missing", async () => {
    vi.stubEnv("GOOGLE_API_KEY", KEY);
    const { model, offers } = await firstModel();
    expect(model).toBe("offline:planner");
    expect(offers).toEqual(["GOOGLE_API_KEY is set; to use it: npm install @langchain/google"]);
  });

  it.each([
    ["ollama", "OLLAMA_BASE_URL"],
    ["lmstudio", "LMSTUDIO_BASE_URL"],
    ["llamacpp", "LLAMACPP_BASE_URL"],
    ["vllm", "VLLM_BASE_URL"],
  ])("is one of a server that answers without any key, and works: %s", async (name, variable) => {
    const { requests } = await server(variable, listing("nomic-embed-text", "qwen3:8b"));
    const { model } = await firstModel();
    expect(model).toBe(`${name}:qwen3:8b`);
    expect(await ask(actQuestion({ model }))).toHaveProperty("reply.text", "It is 5.");
    expect(requests.at(-1)?.body.model).toBe("qwen3:8b");
  });

  it("is the built-in rules if nothing else is there", async () => {
    expect(await firstModel()).toMatchObject({ model: "offline:planner", offers: [] });
  });

  it.each([
    ["is not told of the models", { status: 404, body: "no" } as const],
    ["says something else", { status: 200, body: "<html></html>" } as const],
    ["lists none", listing()],
    ["lists only models that cannot chat", listing("bge-m3", "nomic-embed-text")],
    ["leads elsewhere", { status: 302, body: "", headers: { location: NOBODY } } as const],
    ["says too much", { status: 200, body: `{"data":[],"x":"${"x".repeat(2_000_000)}"}` } as const],
    ["never answers", "hang" as const],
  ])("is not of a server that %s", async (_how, reply) => {
    await server("LLAMACPP_BASE_URL", reply);
    expect(await firstModel()).toMatchObject({ model: "offline:planner" });
  });

  it.each([
    ["TULIPGRAPH_LOCAL_MODELS", "off"],
    ["CI", "true"],
  ])("is not looked for on this machine with %s=%s", async (variable, value) => {
    const { requests } = await server("OLLAMA_BASE_URL", listing("qwen3"));
    vi.stubEnv(variable, value);
    expect(await firstModel()).toMatchObject({ model: "offline:planner" });
    expect(requests).toEqual([]);
  });
});

describe("A survey of models", () => {
  it("lists every provider and server, and never a key", async () => {
    await server("OLLAMA_BASE_URL", listing("qwen3"));
    vi.stubEnv("MISTRAL_API_KEY", KEY);
    const survey = await surveyModels();
    expect(survey.providers).toContainEqual({
      provider: "mistralai",
      key: "MISTRAL_API_KEY",
      keySet: true,
      package: "@langchain/mistralai",
      installed: false,
      install: "npm install @langchain/mistralai",
      model: "mistralai:mistral-small-latest",
    });
    expect(survey.servers.map(({ server: name, models }) => [name, models])).toEqual([
      ["ollama", ["qwen3"]],
      ["lmstudio", undefined],
      ["llamacpp", undefined],
      ["vllm", undefined],
    ]);
    expect(survey.chosen.model).toBe("ollama:qwen3");
    expect(JSON.stringify(survey)).not.toContain(KEY);
  });
});
