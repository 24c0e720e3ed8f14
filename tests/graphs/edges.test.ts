import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GRAPH_IDS, loadGraph } from "../../graphs/index.js";
import { graphFiles } from "../../scripts/graphs.js";

/** The edges of each graph when wirings were written as calls of a builder; conditional ones end with " ?". */
const recorded = JSON.parse(readFileSync("tests/fixtures/edges.json", "utf8")) as Record<
  string,
  string[]
>;

/** Where a table differs from what was recorded, and why. */
const CHANGES = [
  {
    why: "a program that aggregates over a part of a listing is told how to read on",
    ids: ["tulip"],
    gone: [],
    come: ["runProgram -> writeProgram ?"],
  },
  {
    why: "what an earlier run has changed is taken back by a program that no model writes",
    ids: ["tulip"],
    gone: ["intake -> searchRequest"],
    come: [
      "intake -> planUndo ?",
      "intake -> searchRequest ?",
      "planUndo -> checkProgram ?",
      "planUndo -> respond ?",
      "writeProgram -> planUndo ?",
    ],
  },
  {
    why: "tools are searched for by the reason of a rejection, too",
    ids: ["tulip"],
    gone: [],
    come: ["approveWrites -> searchRequest ?"],
  },
  {
    why: "a program is followed in one stage, in visits of a second at most",
    ids: ["tulip"],
    gone: [],
    come: ["runProgram -> judge ?", "runProgram -> runProgram ?"],
  },
  {
    why: "all tools are taken without a search that could end the run",
    ids: ["tptu_base"],
    gone: ["search -> act ?", "search -> respond ?"],
    come: ["search -> act"],
  },
  {
    why: "all tools are taken without a search that could end the run",
    ids: ["tptu_demos"],
    gone: ["search -> selectDemos ?", "search -> respond ?"],
    come: ["search -> selectDemos"],
  },
  {
    why: "calls of tools end no run",
    ids: [
      "react_btp",
      "react_prompt_btp",
      "react_replan",
      "dfsdt_btp",
      "dfsdt_prompt_btp",
      "tot_dfs_btp",
      "tot_dfs_prompt_btp",
    ],
    gone: ["execute -> judge ?", "execute -> respond ?", "execute -> summarize ?"],
    come: ["execute -> judge"],
  },
  {
    why: "a model that calls tools may search for others, which a budget may have to be divided for anew",
    ids: ["tulip"],
    gone: [],
    come: [
      "act -> searchCalls ?",
      "searchCalls -> planBudgetAnew ?",
      "searchCalls -> respond ?",
      "planBudgetAnew -> execute ?",
    ],
  },
  {
    why: "a model that calls tools may search for others",
    ids: [
      "naive_tool",
      "cot_tool",
      "minimal_tulip",
      "naive_tulip",
      "cot_tulip",
      "informed_cot_tulip",
      "primed_cot_tulip",
      "one_shot_cot_tulip",
      "dfs_tulip",
      "tptu_base",
      "tptu_retriever",
      "tptu_demos",
      "tptu_full",
    ],
    gone: [],
    come: [
      "act -> searchCalls ?",
      "searchCalls -> execute ?",
      "searchCalls -> act ?",
      "searchCalls -> respond ?",
    ],
  },
  {
    why: "a step may be a search for the tools of the next",
    ids: ["react", "react_prompt", "dfsdt", "dfsdt_prompt", "tot_dfs", "tot_dfs_prompt"],
    gone: [],
    come: [
      "act -> searchCalls ?",
      "searchCalls -> execute ?",
      "searchCalls -> agenda ?",
      "searchCalls -> respond ?",
      "searchCalls -> summarize ?",
    ],
  },
  {
    why: "a step may be a search for the tools of the next, which the budget is divided for anew",
    ids: [
      "react_btp",
      "react_prompt_btp",
      "react_replan",
      "dfsdt_btp",
      "dfsdt_prompt_btp",
      "tot_dfs_btp",
      "tot_dfs_prompt_btp",
    ],
    gone: [],
    come: [
      "act -> searchCalls ?",
      "searchCalls -> planBudget ?",
      "searchCalls -> respond ?",
      "searchCalls -> summarize ?",
      "planBudget -> execute ?",
    ],
  },
];

describe("the edges", () => {
  it.each(GRAPH_IDS.filter((id) => recorded[id]))("of %s are the recorded ones", async (id) => {
    expect(await edgesOf(await loadGraph(id))).toEqual(expected(id));
  });
});

describe("a wiring", () => {
  const files = readdirSync("graphs").map((file) => {
    const path = `graphs/${file}`;
    return { path, text: readFileSync(path, "utf8") };
  });

  it("adds no edge itself", () => {
    const adding = files.filter(({ text }) => /\.add(Conditional)?Edges?\(/.test(text));
    expect(adding.map(({ path }) => path)).toEqual(["graphs/wire.ts"]);
  });
});

it("langgraph.json, docs/graphs.md and docs/architecture.md describe graphs and stages as they are; npm run graphs writes them", async () => {
  for (const [path, text] of Object.entries(await graphFiles())) {
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

async function edgesOf({ graph }: Pick<Awaited<ReturnType<typeof loadGraph>>, "graph">) {
  const { edges } = await graph.getGraphAsync();
  return edges
    .map(({ source, target, conditional }) => `${source} -> ${target}${conditional ? " ?" : ""}`)
    .toSorted();
}

function expected(id: string): string[] {
  const changes = CHANGES.filter(({ ids }) => ids.includes(id));
  const gone = changes.flatMap((change) => change.gone);
  const come = changes.flatMap((change) => change.come);
  const edges = [...(recorded[id] ?? []).filter((edge) => !gone.includes(edge)), ...come];
  return (ACTING.test(id) ? withReflection(edges) : edges).toSorted();
}

/** The graphs that call tools. */
const ACTING = /^(?!base$|iit_)/;

/** Every way to the end of a run can go by a second look at its answer. */
function withReflection(edges: readonly string[]): string[] {
  const looked = edges.flatMap((edge) => {
    const [, stage] = /^(.*) -> respond(?: \?)?$/.exec(edge) ?? [];
    return stage === undefined ? [edge] : [`${stage} -> reflect ?`, `${stage} -> respond ?`];
  });
  return [...looked, "reflect -> reflect ?", "reflect -> respond ?"];
}
