import { resolve } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { loadGraph } from "../../graphs/index.js";
import { importTools } from "../../workspace/libraries.js";
import { openWorkspace, type Workspace } from "../../workspace/workspace.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

const TOOLS = resolve("tests/fixtures/library/tools.ts");

/** The workspaces of two homes, as of two machines, which have a database in common. */
async function twoHomes(): Promise<{ here: Workspace; there: Workspace }> {
  const database = await newDatabase();
  const [here, there] = [newHome(), newHome()].map((home) => openWorkspace({ home, database }));
  if (!here || !there) throw new Error("there are two homes");
  onTestFinished(async () => {
    await here.close();
    await there.close();
  });
  return { here, there };
}

async function runIn(workspace: Workspace, library: string): Promise<string | undefined> {
  const { wiring } = await loadGraph("minimal_tulip");
  const calls = [{ name: "double_number", args: { value: 21 } }];
  const { spec: model } = scriptedModel([{ calls }, { stop: "It is 42." }]);
  const checkpointer = new MemorySaver();
  const graph = compileGraph(wiring, { name: "minimal_tulip", checkpointer, workspace });
  const { answer } = await graph.invoke(
    { request: "Double the number 21" },
    { context: { ...TEST_LIBRARY, library, model }, configurable: { thread_id: library } },
  );
  return answer;
}

describe.skipIf(!hasPostgres)("two homes of one database", () => {
  it("have a tool for a run that begins right after the other has imported it", async () => {
    const { here, there } = await twoHomes();
    for (const library of ["one", "two", "three"]) {
      await there.store.refresh({ maxAgeMs: 0 });
      await importTools({ store: here.store, context: { ...TEST_LIBRARY, library }, file: TOOLS });
      expect(await runIn(there, library)).toBe("It is 42.");
    }
  });
});
