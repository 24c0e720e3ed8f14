import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, afterEach, inject, vi } from "vitest";

/** Keys and settings of whoever runs the tests, by which models, colours and processes behave otherwise. */
const OF_THE_USER =
  /^(?:OPENAI|ANTHROPIC|GOOGLE|COHERE|MISTRAL|OPENROUTER|OTEL|LANGFUSE|GROQ|DEEPSEEK|XAI|OLLAMA|LMSTUDIO|LLAMACPP|VLLM|HF|LANGCHAIN|LANGSMITH|LANGGRAPH|TULIPGRAPH)_|^(?:NODE_OPTIONS|NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS)$/;

/** The browser that reports are opened with has to be found. */
const KEPT = "TULIPGRAPH_CHROMIUM";

for (const name of Object.keys(process.env)) {
  if (OF_THE_USER.test(name) && name !== KEPT) delete process.env[name];
}
// The command line reads `.env` for names that have no value yet: an empty one counts as none set.
if (existsSync(".env")) {
  for (const name of Object.keys(parseEnv(readFileSync(".env", "utf8")))) process.env[name] ??= "";
}

// A model server that happens to run on this machine is nobody's in a test.
process.env.TULIPGRAPH_LOCAL_MODELS = "off";

// Servers in tests say nothing of what goes well.
process.env.TULIPGRAPH_LOG_LEVEL = "error";

// Files may share a process: what a test sets in it ends with the test.
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

// Each test file has data of its own, and none touches the user's.
const home = mkdtempSync(join(tmpdir(), "tulipgraph-home-"));
process.env.TULIPGRAPH_HOME = home;
cpSync(inject("preparedHome"), home, { recursive: true });

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
