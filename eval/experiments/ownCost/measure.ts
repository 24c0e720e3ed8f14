import { performance } from "node:perf_hooks";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import type { GoldTask } from "../../oracle/goldTask.js";
import { openSubject } from "../../oracle/subject.js";
import { prepareLibraries } from "../../runs/prepareLibraries.js";
import { prepareExperiment } from "../../runs/prepare.js";
import { compileGraph } from "../../../graphs/compile.js";
import { loadGraph } from "../../../graphs/index.js";
import { findGraph, openGraph } from "../../../graphs/openGraph.js";
import { closeWorkspaces, openWorkspace } from "../../../workspace/workspace.js";
import { catalogFunctions } from "../../../tools/runtime/catalogFunctions.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { MODEL, PlainGoldModel, registerGold, scriptOf, spent } from "./goldModel.js";
import { mean } from "../../statistics/descriptive.js";

/** What to measure in this process. */
interface Asked {
  graph: string;
  bench: string;
  limit: number;
  delay: number;
  checkpoints: string;
}

/** Tasks for the warm-up. */
const WARM_UP = 10;

/** Does one task and says whether it was completed. */
type Solve = (gold: GoldTask) => Promise<boolean>;

const asked = JSON.parse(process.argv[2] ?? "{}") as Asked;
await measure(asked);

async function measure({ graph, bench, limit, delay }: Asked): Promise<void> {
  const subject = await openSubject(bench);
  const gold = subject.gold.slice(0, limit);
  registerGold(scriptOf(gold, delay));
  const solve = await solverOf({ graph, subject, gold });
  const figures: { cpu: number; wall: number; solved: boolean }[] = [];
  for (const each of gold) {
    const [cpu, wall, own] = [process.cpuUsage(), performance.now(), spent.ms];
    const solved = await solve(each);
    const { user, system } = process.cpuUsage(cpu);
    figures.push({
      solved,
      cpu: (user + system) / 1_000 - (spent.ms - own),
      wall: performance.now() - wall,
    });
  }
  const solved = figures.filter((one) => one.solved).length;
  const means = (kind: "cpu" | "wall") =>
    [figures.slice(0, WARM_UP), figures.slice(WARM_UP)]
      .map((some) =>
        mean(some.map((one) => one[kind]))
          .toFixed(1)
          .padStart(8),
      )
      .join("");
  const share = `${solved}/${figures.length}`.padStart(7);
  process.stdout.write(
    `${graph.padEnd(15)} ${share}  ${means("cpu").padStart(21)} ${means("wall").padStart(22)}\n`,
  );
  await closeWorkspaces();
}

async function solverOf(options: {
  graph: string;
  subject: Awaited<ReturnType<typeof openSubject>>;
  gold: readonly GoldTask[];
}): Promise<Solve> {
  const { graph, subject, gold } = options;
  const { benchmark, definition } = await prepareExperiment({
    benchmark: subject.named,
    selection: { ids: gold.map(({ task }) => task.id) },
    graphs: graph === "plain" ? ["tulip"] : [graph],
    settings: { model: MODEL },
    grid: {},
    runs: 1,
    seed: 1,
    catalogue: subject.catalogue ?? "none",
    checkpoints: "none",
  });
  const { settingsOf, costs } = await prepareLibraries({ benchmark, definition });
  if (graph === "plain") {
    const [{ library: name, embeddings } = { library: "", embeddings: "" }] = costs;
    const library = await openWorkspace().library({ library: name, embeddings });
    return plainAgent({ gold, records: library.list() });
  }
  const wired =
    asked.checkpoints === "none"
      ? compileGraph((await loadGraph(findGraph(graph))).wiring, { name: graph })
      : await openGraph(graph);
  return async ({ task }) => {
    const { status } = await wired.invoke(
      { request: task.query },
      {
        configurable: { thread_id: `${graph} ${task.id}` },
        context: settingsOf(task, definition.settings),
        durability: "sync",
      },
    );
    return status === "solved";
  };
}

async function plainAgent(options: {
  gold: readonly GoldTask[];
  records: readonly ToolRecord[];
}): Promise<Solve> {
  const { gold, records } = options;
  const tools = await Promise.all(records.map(plainTool));
  const shown = records.map(({ name, description, parameters, returns }) => ({
    name,
    description,
    parameters,
    ...(returns ? { returns } : {}),
  }));
  const model = new PlainGoldModel(scriptOf(gold, asked.delay), shown);
  const agent = createAgent({ model, tools });
  return async ({ task }) => {
    const { messages } = await agent.invoke({
      messages: [{ role: "user", content: task.query }],
    });
    return messages.at(-1)?.text !== "";
  };
}

async function plainTool({ name, description, parameters, source }: ToolRecord) {
  const { catalog, exportName, parameterNames } =
    source.kind === "function"
      ? source
      : { catalog: undefined, exportName: "", parameterNames: [] as string[] };
  const found = catalog === undefined ? undefined : await catalogFunctions({ catalog });
  const run = found?.get(exportName);
  return tool(
    async (args: unknown) => {
      const given = args as Record<string, unknown>;
      const result = await run?.(...parameterNames.map((one) => given[one]));
      return JSON.stringify(result ?? null);
    },
    { name, description, schema: parameters },
  );
}
