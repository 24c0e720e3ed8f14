import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { compileGraph } from "../../../graphs/compile.js";
import { allGraphs } from "../../../graphs/index.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import {
  EMBEDDINGS,
  fixture,
  folderOfTest,
  importServer,
  workspaceOfTest,
} from "../../tools/sources/mcp/support.js";

const graphs = await allGraphs();

/** A run that calls both tools of a server that asks, at once. */
async function askedRun(options: { checkpointer?: MemorySaver } = {}) {
  const workspace = workspaceOfTest();
  const log = join(folderOfTest(), "log.txt");
  const settings = fixture("asking.mjs", log, "2025");
  await importServer({ workspace, name: "tables", settings });
  const { spec } = scriptedModel([
    {
      calls: [
        { id: "a", name: "look_up", args: { table: "1" } },
        { id: "b", name: "book", args: { table: "2" } },
      ],
    },
    { stop: "It is done." },
  ]);
  const graph = compileGraph(graphs.minimal_tulip.wiring, {
    name: "minimal_tulip",
    workspace,
    ...options,
  });
  const context = { library: "tables", embeddings: EMBEDDINGS, threshold: 4, model: spec };
  const config = { configurable: { thread_id: "t" }, context };
  const first: unknown = await graph.invoke({ request: "Book a table and look it up" }, config);
  return { graph, config, first, log };
}

interface Asked {
  __interrupt__: {
    value: { kind: string; problem: string; actionRequests: { name: string; args: object }[] };
  }[];
}

const isAsked = (result: unknown) => (result as Partial<Asked>).__interrupt__ !== undefined;

const asked = (result: unknown) => {
  const [interrupt] = (result as Asked).__interrupt__;
  if (!interrupt) throw new Error("nothing is asked");
  return interrupt.value;
};

/** The decisions that give this answer to every question. */
const edits = (result: unknown, content: object) =>
  asked(result).actionRequests.map(({ name, args }) => ({
    type: "edit",
    editedAction: { name, args: { ...args, content } },
  }));

describe("a server that asks during a run", () => {
  it("pauses it until each question is answered, and no call is made twice", async () => {
    const { graph, config, first, log } = await askedRun({ checkpointer: new MemorySaver() });
    expect(asked(first).kind).toBe("question");
    expect((await graph.getState(config)).next).toEqual(["execute"]);
    const answered: string[] = [];
    let last = first;
    // The questions of two calls come together or one after the other.
    while (isAsked(last)) {
      const [decision] = edits(last, { name: "Ann" });
      const id = String(Reflect.get(decision?.editedAction.args ?? {}, "id"));
      expect(answered).not.toContain(id);
      answered.push(id);
      last = await graph.invoke(new Command({ resume: { decisions: [decision] } }), config);
    }
    expect(answered).toHaveLength(2);
    expect(last).toMatchObject({
      status: "solved",
      calls: [
        { tool: "tables.look_up", result: "looked up: 1 for Ann with 2 seats" },
        { tool: "tables.book", result: "booked: 2 for Ann with 2 seats" },
      ],
    });
    const acts = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes("Ann"));
    expect(acts.toSorted()).toEqual(["booked 2 for Ann, 2", "looked up 1 for Ann, 2"]);
  });
});
