import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { program, programRun } from "../../graphs/tulipRuns.js";
import { handMadeServer } from "../../tools/sources/mcp/handMade.js";
import { run, temporaryFolder } from "../support.js";
// Registers word counts as embeddings.
// oxlint-disable-next-line import/no-unassigned-import
import "../../fakes/testLibrary.js";

beforeEach(() => vi.stubEnv("TULIPGRAPH_HOME", join(temporaryFolder(), "home")));
afterAll(closeWorkspaces);

const readOnly = { annotations: { readOnlyHint: true } };
const TOOLS = [
  { name: "list_buoys", description: "List all buoys", ...readOnly },
  { name: "find_buoy", description: "Find a buoy", ...readOnly },
  { name: "paint_buoys", description: "Paint all buoys" },
];
const NAMED = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

/** A server that declares no results, imported into `harbour`. */
async function harbour(...options: string[]) {
  const told = {
    result: { buoys: [{ id: "b1", colour: "red" }] } as unknown,
    called: [] as unknown[],
  };
  const { url } = await handMadeServer(({ request: { method, params }, answer }) => {
    if (method === "tools/list") {
      const schema = (name: string) => (name === "find_buoy" ? NAMED : { type: "object" });
      answer({ tools: TOOLS.map((tool) => ({ ...tool, inputSchema: schema(tool.name) })) });
    }
    if (method === "tools/call") {
      told.called.push(params?.["name"]);
      answer({ content: [{ type: "text", text: JSON.stringify(told.result) }] });
    }
    return method === "tools/list" || method === "tools/call";
  });
  const imported = await run(
    "tools",
    "import",
    "mcp",
    "harbour",
    "--url",
    url,
    "--trust-hints",
    ...options,
  );
  return { told, imported };
}

function asking(...code: string[]) {
  return programRun({
    script: [program(...code)],
    request: "Which colour has the first buoy?",
    settings: { library: "harbour", embeddings: "words:hashed" },
  });
}

const promptOf = ({ model }: ReturnType<typeof asking>) =>
  model.questions[0]?.messages.map(({ text }) => text).join("\n") ?? "";

const FIRST = "const { buoys } = await harbour.list_buoys();";

const read = () =>
  run("tools", "call", "harbour.list_buoys", "{}", "--library", "harbour", "--json");

describe("tools import mcp --try-reads", () => {
  it("reads once with what needs no arguments, and shows models what comes back, not its values", async () => {
    const { told, imported } = await harbour("--try-reads");
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stderr).toContain("read once with 1 of 1 tool");
    expect(told.called).toEqual(["list_buoys"]);
    const asked = asking(FIRST, "return buoys[0].colour;");
    const { state } = await asked.start();
    expect(promptOf(asked)).toContain(
      "function list_buoys(): Promise<{ buoys: { id, colour }[] }>; // as seen once",
    );
    expect(state.answer).toBe("red");
  });

  it("is not done unasked: types come from the calls that are made anyway", async () => {
    const { told } = await harbour();
    expect(told.called).toEqual([]);
    const first = asking(FIRST, "return buoys[0].colour;");
    await first.start();
    expect(promptOf(first)).not.toContain("as seen");
    const second = asking(FIRST, "return buoys[0].colour;");
    await second.start();
    expect(promptOf(second)).toContain("as seen once");
  });
});

describe("a type that was learned", () => {
  it("is no reason to refuse a program that reads what was not seen yet", async () => {
    const { told } = await harbour("--try-reads");
    told.result = { buoys: [{ id: "b1", hull: { paint: "blue" } }] };
    const { state } = await asking(FIRST, "return buoys[0].hull.paint;").start();
    expect(state).toMatchObject({ answer: "blue", status: "solved", usage: { modelCalls: 1 } });
  });

  it("whose tool now returns something else is told of by the doctor", async () => {
    const { told } = await harbour();
    for (let at = 0; at < 4; at += 1) await read();
    const healthy = await run("tools", "doctor", "--library", "harbour");
    expect(healthy.stdout).not.toContain("results that have changed");
    told.result = { floats: [] };
    await read();
    const { stdout } = await run("tools", "doctor", "--library", "harbour");
    expect(stdout).toContain("results that have changed");
    expect(stdout).toContain("buoys is missing");
  });
});
