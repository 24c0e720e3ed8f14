import { LOCAL_EMBEDDINGS } from "../../../state/context.js";
import { assembleLibrary } from "../../../workspace/assembledLibraries.js";
import { openWorkspace } from "../../../workspace/workspace.js";
import { openSubject } from "../../oracle/subject.js";
import { mean } from "../../statistics/descriptive.js";
import { spreadOver } from "../scriptSupport.js";
import { comparedAgents } from "./agents.js";
import { type Counted, startOracleEndpoint } from "./oracleEndpoint.js";

/** Figures of an agent, as means over its tasks. */
export interface AgentFigures {
  agent: string;
  /** Share of tasks whose gold calls were all made. */
  success: number;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
}

/** The comparison with its numbers of tasks and tools. */
export interface Comparison {
  benchmark: string;
  tasks: number;
  tools: number;
  agents: AgentFigures[];
}

/** Runs each agent on the tasks of a benchmark whose tools a catalogue implements; the model is the oracle. */
export async function compareAgents(options: {
  folder: string;
  home: string;
  /** Most tasks, spread evenly over all. */
  limit: number;
}): Promise<Comparison> {
  const { folder, home, limit } = options;
  const { benchmark, catalogue, gold } = await openSubject(folder);
  const tasks = spreadOver(gold, limit);
  const { library } = await assembleLibrary({
    store: openWorkspace({ home }).store,
    name: "compared",
    embeddings: LOCAL_EMBEDDINGS,
    ...(catalogue !== undefined && { catalogue }),
  });
  const tools = library.list();
  const agents: AgentFigures[] = [];
  for (const { name, search, make } of comparedAgents({ library: library.name, home, tools })) {
    const endpoint = await startOracleEndpoint({ gold: tasks, ...(search && { search }) });
    const agent = await make(endpoint.url);
    for (const { task } of tasks) await agent.invoke(task.query);
    endpoint.close();
    agents.push(
      figuresOf(
        name,
        tasks.map(({ task }) => endpoint.countedOf(task.query)),
      ),
    );
  }
  return { benchmark: benchmark.name, tasks: tasks.length, tools: tools.length, agents };
}

function figuresOf(agent: string, runs: readonly Counted[]): AgentFigures {
  const over = (figure: (run: Counted) => number) => mean(runs.map(figure));
  return {
    agent,
    success: over(({ isDone }) => Number(isDone)),
    modelCalls: over(({ modelCalls }) => modelCalls),
    inputTokens: over(({ inputTokens }) => inputTokens),
    outputTokens: over(({ outputTokens }) => outputTokens),
  };
}
