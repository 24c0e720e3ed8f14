import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { closeWorkspaces } from "../../home/workspace.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, run } from "./support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const KEY = "sk-secret-0123456789abcdef";

/** A model server in place of LM Studio; no other server is really looked for. */
async function modelServer() {
  vi.stubEnv("TULIPGRAPH_LOCAL_MODELS", undefined);
  vi.stubEnv("CI", undefined);
  for (const name of ["OLLAMA", "LLAMACPP", "VLLM"]) {
    vi.stubEnv(`${name}_BASE_URL`, "http://127.0.0.1:9");
  }
  const endpoint = await startChatEndpoint(({ path }) =>
    path.endsWith("/models")
      ? { status: 200, body: { object: "list", data: [{ id: "qwen3" }] } }
      : { content: "It is 42." },
  );
  onTestFinished(() => endpoint.close());
  vi.stubEnv("LMSTUDIO_BASE_URL", endpoint.url);
  return endpoint;
}

const ASK = ["solve", "Double the number 21", "--graph", "minimal_tulip", ...LIBRARY_OPTIONS];

describe("solve without a model", () => {
  it("uses a server that answers, and says which and why in its first line", async () => {
    await modelServer();
    const { stdout } = await run(...ASK);
    const [first] = stdout.split("\n");
    expect(first).toMatch(
      /model lmstudio:qwen3, because LM Studio is running at http:\S+ and no API key is set/,
    );
    expect(stdout).toContain("It is 42.");
  });

  it("says that the built-in rules are used if nothing else is available", async () => {
    const { stdout, stderr } = await run(...ASK);
    expect(stdout.split("\n")[0]).toMatch(
      /offline:planner \(built-in rules.*\), because no API key is set/,
    );
    expect(stderr).toBe("");
  });

  it("offers the command for a key whose package is missing", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", KEY);
    const { stderr } = await run(...ASK);
    expect(stderr).toBe(
      "note: ANTHROPIC_API_KEY is set; to use it: npm install @langchain/anthropic\n",
    );
  });
});

it("a model server on this machine that does not run is to be started", async () => {
  vi.stubEnv("OLLAMA_BASE_URL", "http://127.0.0.1:9");
  const { stderr } = await run(...ASK, "--model", "ollama:qwen3");
  expect(stderr).toMatch(
    /model ollama:qwen3: the endpoint cannot be reached.*Start Ollama at http:\/\/127.0.0.1:9, or set OLLAMA_BASE_URL to where it runs/,
  );
  expect(stderr).not.toContain("OPENAI");
});

describe("tulipgraph models", () => {
  it("says which model is used and why, and what others are set up or lack, without keys", async () => {
    await modelServer();
    vi.stubEnv("ANTHROPIC_API_KEY", KEY);
    const { code, stdout } = await run("models");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^solve uses lmstudio:qwen3, because LM Studio is running/);
    expect(stdout).toMatch(
      /^anthropic +ANTHROPIC_API_KEY is set +.*npm install @langchain\/anthropic$/m,
    );
    expect(stdout).toMatch(/^lmstudio +is running +LM Studio at .*: qwen3$/m);
    expect(stdout).toMatch(/^vllm +is not running +vLLM at /m);
    expect(stdout).toMatch(/^Embeddings: \w+:\S+$/m);
    expect(stdout).toMatch(/^cohere +COHERE_API_KEY is not set +npm install @langchain\/cohere$/m);
    expect(stdout).not.toContain(KEY);
  });

  it("gives programs the same, with the embeddings that the environment names", async () => {
    vi.stubEnv("TULIPGRAPH_EMBEDDINGS", "openai:text-embedding-3-small");
    const { stdout } = await run("models", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      chosen: { model: "offline:planner", why: expect.stringContaining("no API key is set") },
      embeddings: { used: "openai:text-embedding-3-small" },
      rules: "offline:planner",
    });
  });
});
