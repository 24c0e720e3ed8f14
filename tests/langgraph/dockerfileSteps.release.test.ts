import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type Instruction, stagesOf } from "../deploy/dockerfile.js";
import { copyClone } from "../fakes/clone.js";
import { ROOT } from "../fakes/langgraphServer.js";

/** The recipe that LangGraph's command writes. */
async function recipe(folder: string): Promise<Instruction[]> {
  const file = join(folder, "Dockerfile");
  const command = join(ROOT, "node_modules/.bin/langgraphjs");
  const env = { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  await promisify(execFile)(command, ["dockerfile", file], { cwd: ROOT, env });
  return stagesOf(file).flat();
}

it("the steps of LangGraph's own image compile the binding of FAISS, and its graph answers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = join(folder, "package");
  mkdirSync(place);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    TULIPGRAPH_LOCAL_MODELS: "off",
  };
  const run = (text: string) =>
    execFileSync("sh", ["-c", text], { cwd: place, env, stdio: "pipe", maxBuffer: 1e8 }).toString();
  for (const { name, text } of await recipe(folder)) {
    const [, variable, value = ""] = /^(\w+)=(.*)$/.exec(text) ?? [];
    if (name === "ADD") copyClone(place);
    // The graphs are named for the server, which is not here.
    if (name === "ENV" && variable && !value.startsWith("'")) env[variable] = value;
    if (name === "RUN" && !text.includes("apt-get")) run(text);
  }
  run(`node -e "new (require('faiss-node').IndexFlatL2)(2).add([1, 2])"`);
  const ask = `import { graph } from "./graphs/tulip.ts";
    const { answer } = await graph.invoke({ request: "What is 3 times 4?" });
    console.log(answer); process.exit();`;
  expect(run(`npx tsx --input-type=module -e '${ask}'`)).toContain("12");
}, 900_000);
