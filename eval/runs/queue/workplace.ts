import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TulipgraphError } from "../../../common/errors.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import { parseSettings } from "../../../state/settings.js";
import { takeLibraries } from "../prepareLibraries.js";
import { inHome } from "../../../nodes/workspace/home.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { openBenchmark } from "../../benchmarks/index.js";
import { registerSimulated } from "../../simulated/provider.js";
import { localRunner } from "../localRunner.js";
import { requireModels } from "../prepare.js";
import type { Runner } from "../runner.js";
import { patientRunner, sharedPauses } from "../runTask.js";
import type { RunQueue } from "./openQueue.js";
import { type QueueSetup, libraryHash, unpackFiles } from "./setup.js";

/** Where a worker makes the runs of one evaluation. */
export interface Workplace extends Runner {
  leaseSeconds: number;
  close: () => Promise<void>;
}

/** Why a worker leaves an evaluation to other workers. */
class Unfit extends TulipgraphError {
  readonly code = "UNFIT_WORKER";

  constructor(readonly details: { problem: string; hint: string }) {
    super(`${details.problem}. ${details.hint}`);
  }
}

/** @throws Unfit for an evaluation of another version, whose setup this one cannot read */
export function requireVersion(version: string): void {
  if (version === packageVersion()) return;
  throw new Unfit({
    problem: `it is run by tulipgraph ${version}, and this is ${packageVersion()}`,
    hint: "Start workers of that version",
  });
}

/**
 * Makes a home for the runs of an evaluation, with the libraries of the machine that started it.
 *
 * @throws TulipgraphError if something is missing or different on this machine
 */
export async function openWorkplace(options: {
  queue: RunQueue;
  session: string;
  setup: QueueSetup;
}): Promise<Workplace> {
  const { queue, session, setup } = options;
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-work-"));
  const close = async () => {
    await inHome(home, async () => await openWorkspace().close());
    rmSync(home, { recursive: true, force: true });
  };
  try {
    registerSimulated();
    for (const settings of setup.settings) await requireModels(parseSettings(settings));
    if (setup.own === undefined) await unpackFiles(queue, session, home);
    else await takeLibraries(home);
    const runner = await inHome(home, () => openRunner(setup));
    const patient = patientRunner({ runner, pauses: sharedPauses() });
    return {
      leaseSeconds: setup.leaseSeconds,
      run: (request) => inHome(home, () => patient.run(request)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRunner({ opens, libraries }: QueueSetup): Promise<Runner> {
  const benchmark = opens && (await sameBenchmark(opens));
  openWorkspace({ worlds: benchmark?.ownWorlds });
  for (const library of libraries) {
    if ((await libraryHash(library)) === library.hash) continue;
    throw new Unfit({
      problem: `the tools of library ${library.name} are different on this machine`,
      hint: "Bring its library and the files of its functions to the state of the machine that runs `eval run`",
    });
  }
  return localRunner();
}

async function sameBenchmark({ named, hash }: NonNullable<QueueSetup["opens"]>) {
  const benchmark = await openBenchmark(named);
  if (benchmark.hash === hash) return benchmark;
  throw new Unfit({
    problem: `the benchmark ${named} has other tasks or tools here`,
    hint: "Bring tulipgraph here to the state of the machine that runs `eval run`",
  });
}
