/**
 * What search costs and finds in agents that exist already: LangChain's `createAgent` with our middleware, with
 * LangChain's own `llmToolSelectorMiddleware`, and with what langgraph-bigtool documents, on the same tasks, tools and
 * embeddings. The model is an oracle at an endpoint that knows the gold calls and makes those that it is shown; calls
 * and tokens (o200k_base, of messages, tools and reply formats) are counted there.
 *
 *   npx tsx eval/experiments/existingAgents.ts --bench ../shared/bench [--limit 60]
 */
import type { GoldTask } from "../oracle/goldTask.js";
import { openSubject } from "../oracle/subject.js";
import { mean } from "../statistics/descriptive.js";
import { assembleLibrary } from "../../workspace/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../workspace/workspace.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { type ComparedAgent, comparedAgents } from "./existingAgents/agents.js";
import { type Counted, startOracleEndpoint } from "./existingAgents/oracleEndpoint.js";
import {
  BENCH,
  inTemporaryFolder,
  optionsOf,
  presentSets,
  spreadOver,
  write,
  writeHead,
  writeRow,
} from "./scriptSupport.js";

const { bench, limit } = optionsOf({ bench: BENCH, limit: 60 });
const [folder] = presentSets({ bench, sets: "tulip_math" });
if (folder !== undefined) await inTemporaryFolder("agents", (home) => compare(folder, home));

async function compare(named: string, home: string): Promise<void> {
  const { benchmark, catalogue, gold } = await openSubject(named);
  const tasks = spreadOver(gold, limit);
  const { library } = await assembleLibrary({
    store: openWorkspace({ home }).store,
    name: "compared",
    embeddings: LOCAL_EMBEDDINGS,
    catalogue,
    ...(catalogue === undefined && { declarations: benchmark.toolsFile }),
  });
  const tools = library.list();
  write(`${benchmark.name}: ${tasks.length} tasks, ${tools.length} tools\n`);
  writeHead(["agent", "success", "model calls", "input tokens", "output tokens", "tokens a task"]);
  for (const agent of comparedAgents({ library: library.name, home, tools })) {
    await measure(agent, tasks);
  }
  await closeWorkspaces();
}

async function measure({ name, search, make }: ComparedAgent, gold: readonly GoldTask[]) {
  const endpoint = await startOracleEndpoint({ gold, ...(search && { search }) });
  try {
    const agent = await make(endpoint.url);
    const runs: Counted[] = [];
    for (const each of gold) {
      await agent.invoke(each.task.query);
      runs.push(endpoint.countedOf(each.task.query));
    }
    const over = (figure: (run: Counted) => number) => mean(runs.map(figure));
    const input = over(({ inputTokens }) => inputTokens);
    const output = over(({ outputTokens }) => outputTokens);
    writeRow([
      name,
      `${(over(({ isDone }) => Number(isDone)) * 100).toFixed(1)} %`,
      over(({ modelCalls }) => modelCalls).toFixed(2),
      input.toFixed(0),
      output.toFixed(0),
      (input + output).toFixed(0),
    ]);
  } finally {
    endpoint.close();
  }
}
