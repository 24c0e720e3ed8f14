/**
 * What other people's clients get from the server: LangGraph's SDK for Python and its RemoteGraph, the React hooks of
 * LangChain, the calls of its Agent Chat UI, the AG-UI client.
 *
 *   npx tsx tests/campaigns/clients.ts --folder DIR [--only python]
 *
 * DIR has what the clients need: a virtual environment `py` with langgraph and langgraph-sdk, and the packages
 * `@langchain/react`, `@langchain/langgraph-sdk`, `@langchain/core`, `@ag-ui/langgraph`, `@ag-ui/client`, react,
 * react-dom, jsdom, `@testing-library/dom` and `-react`. The built-in planner answers.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { optionsOf, write } from "./scriptSupport.js";

const { folder, only } = optionsOf({ folder: "", only: "" });
const PROGRAM = "bin/tulipgraph.mjs";
const home = mkdtempSync(join(tmpdir(), "clients-"));
const env = { ...process.env, TULIPGRAPH_HOME: home, TULIPGRAPH_LOG_LEVEL: "warn" };
const todos = ["tools", "import", "examples/todos.ts", "--library", "todos"];
execFileSync("node", [PROGRAM, ...todos], { env, stdio: "ignore" });
const server = spawn("node", [PROGRAM, "serve", "--port", "0"], {
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const url = await address();
  const client = new Client({ apiUrl: url, apiKey: null });
  const { assistant_id: asking } = await client.assistants.create({
    graphId: "tulip",
    context: { library: "todos", approval: "plan" },
  });
  // The first run has the library indexed, which may take long.
  for (const assistant of ["tulip", asking])
    await client.runs.wait(null, assistant, { input: { request: "What is 3 times 4?" } });
  const parties = { python: "py/bin/python", hooks: "node" };
  for (const [name, program] of Object.entries(parties)) {
    if (only !== "" && only !== name) continue;
    const script = `${name}.${name === "python" ? "py" : "mjs"}`;
    // Beside the packages that it imports.
    copyFileSync(join("tests/campaigns/clients", script), resolve(folder, script));
    const command = program.includes("/") ? resolve(folder, program) : program;
    const [code] = (await once(
      spawn(command, [script, url, asking], { cwd: folder, stdio: "inherit" }),
      "exit",
    )) as [number];
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  server.kill("SIGKILL");
  await once(server, "exit");
  rmSync(home, { recursive: true, force: true });
}

async function address(): Promise<string> {
  for (let told = ""; ;) {
    told += String((await once(server.stderr, "data"))[0]);
    const [, url] = /Server running at (\S+)/.exec(told) ?? [];
    if (url === undefined) continue;
    server.stderr.on("data", (text: Buffer) => process.stderr.write(text));
    return url;
  }
}

write(process.exitCode ? "some checks fail" : "all checks pass");
