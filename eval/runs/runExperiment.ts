import { randomUUID } from "node:crypto";
import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import { type ReplyKeeper, replyKeepers } from "../../models/chat/keptReplies.js";
import { inHome } from "../../home/home.js";
import { openWorkspace } from "../../home/workspace.js";
import { packageVersion } from "../../storage/packageRoot.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import type { LibraryCost } from "./experimentFolder.js";
import { openReplay } from "../replay/answerRecorded.js";
import { type BatchEnd, runBatch } from "./batch.js";
import { type Experiment, planRuns } from "./experiment.js";
import { type ExperimentFolder, homeIn, openExperimentFolder } from "./experimentFolder.js";
import { prepareLibraries, takeLibraries } from "./prepareLibraries.js";
import type { GraphServer } from "./graphServer.js";
import { localRunner } from "./localRunner.js";
import { servedRunner } from "./servedRunner.js";
import { servedToolIds } from "./servedLibraries.js";
import type { PreparedExperiment } from "./prepare.js";
import type { Pause } from "./runTask.js";

/** How to run an experiment; none of it changes what is run. */
export interface ExperimentRun {
  prepared: PreparedExperiment;
  folder: string;
  /** Data of the runs; the folder's own when absent. */
  home?: string;
  concurrency: number;
  maxUsd?: number;
  signal: AbortSignal;
  onPause?: (pause: Pause) => void;
  /** Keeps the replies of models, or answers in their place. */
  replies?: ReplyKeeper;
  /** The servers that make the runs, and the version of the first; absent for runs in this process. */
  served?: { server: GraphServer; version: string };
  /** Does a step of set-up, and tells the user if it takes long. */
  announce: <Result>(label: string, work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Makes all runs of an experiment whose results are not in its folder yet.
 *
 * @throws ExperimentFailed if the folder holds another experiment, or another process is working there
 */
export async function runExperiment(options: ExperimentRun): Promise<BatchEnd> {
  const { prepared, folder, home = homeIn(folder) } = options;
  const { tasks } = prepared;
  const results = openExperimentFolder({ folder, experiment: experimentOf(options), tasks });
  try {
    // Runs use a copy of the user's tools and sources; what they leave behind stays with the experiment.
    if (prepared.benchmark.library !== undefined && !options.served) await takeLibraries(home);
    const work = () => makeRuns({ ...options, results });
    return await inHome(home, () => replyKeepers.run(options.replies, work));
  } finally {
    results.close();
  }
}

async function makeRuns(options: ExperimentRun & { results: ExperimentFolder }): Promise<BatchEnd> {
  const { prepared, results, concurrency, maxUsd, signal, onPause, announce } = options;
  const { benchmark, tasks, definition } = prepared;
  const { server } = options.served ?? {};
  const replay = benchmark.replay && openReplay(benchmark.replay);
  openWorkspace({ worlds: benchmark.ownWorlds, invoke: replay?.invoke });
  const { costs, settingsOf } = server
    ? await prepareLibraries({
        benchmark,
        definition,
        served: (library) => servedToolIds({ server, library, benchmark, signal }),
      })
    : await announce("embedding the tools", () => prepareLibraries({ benchmark, definition }));
  results.keepLibraries(costs);
  results.keepTools(benchmark.tools);
  await announce("embedding past requests", () => embedExperience(benchmark, costs));
  const { id: experiment } = results.experiment;
  const runner = server ? servedRunner({ server, experiment }) : localRunner();
  return await runBatch({
    planned: planRuns({ definition, tasks, settingsOf }),
    folder: results,
    runner: replay ? replay.through(runner) : runner,
    world: benchmark.world,
    concurrency,
    maxUsd,
    signal,
    onPause,
  });
}

/** Otherwise each process would embed the past requests itself, at its first plan. */
async function embedExperience(benchmark: Benchmark, costs: readonly LibraryCost[]): Promise<void> {
  const [task] = benchmark.tasks;
  if (!benchmark.experience || !task) return;
  const tools = benchmark.tools.map(({ id }) => id);
  for (const { library, embeddings: name } of costs) {
    const embeddings = await namedEmbeddings(name);
    await (
      await openWorkspace().experience()
    ).evidence({ library, query: task.query, tools, embeddings });
  }
}

function experimentOf({ prepared, served }: ExperimentRun): Experiment {
  const { definition } = prepared;
  const { version } = served ?? { version: packageVersion() };
  return { id: randomUUID(), definition, version, startedAt: new Date().toISOString() };
}
