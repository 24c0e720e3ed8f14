import { InvalidSetting } from "../../../common/errors.js";
import { canonicalJson, sha256 } from "../../../tools/library/records/hash.js";
import { ownLibrary } from "../assembledLibraries.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { BENCHMARKS } from "../../benchmarks/index.js";
import type { Checkpointing, ExperimentDefinition } from "../experiment.js";
import type { PreparedExperiment } from "../prepare.js";

/** What a worker has to know and have to make the runs of an experiment. */
export interface QueueSetup {
  /** For messages. */
  benchmark: string;
  /** The benchmark that a worker must open itself, because its world or tools are code or files. */
  opens?: { named: string; hash: string };
  /** The user's own library, which the worker must have; other libraries are carried. */
  own?: string;
  libraries: { name: string; embeddings: string; hash: string }[];
  /** The settings of each variant, for their models. */
  settings: Record<string, unknown>[];
  checkpoints?: Checkpointing;
  /** How long a silent worker keeps its runs. */
  leaseSeconds: number;
}

/** Describes an experiment for workers. Its libraries have to be in the current home. */
export async function setupOf(options: {
  prepared: PreparedExperiment;
  libraries: readonly { library: string; embeddings: string }[];
  leaseSeconds: number;
}): Promise<QueueSetup> {
  const { prepared, libraries, leaseSeconds } = options;
  const { benchmark, definition, named } = prepared;
  const ships = named !== undefined && Object.hasOwn(BENCHMARKS, named);
  const isOpened = ships || benchmark.ownWorlds !== undefined;
  if (isOpened && named === undefined) {
    throw new InvalidSetting({
      setting: "--queue",
      problem: `the benchmark ${benchmark.name} has no name by which a worker could open it`,
      hint: "leave --queue out",
    });
  }
  return {
    benchmark: benchmark.name,
    ...(isOpened && named !== undefined ? { opens: { named, hash: benchmark.hash } } : {}),
    ...(benchmark.library === undefined ? {} : { own: benchmark.library }),
    libraries: await Promise.all(
      libraries.map(async ({ library: name, embeddings }) => ({
        name,
        embeddings,
        hash: await libraryHash({ name, embeddings }),
      })),
    ),
    settings: variantSettings(definition),
    ...(definition.checkpoints ? { checkpoints: definition.checkpoints } : {}),
    leaseSeconds,
  };
}

/**
 * Hash of all tools that a library in the current home has now.
 *
 * @throws UnknownName
 */
export async function libraryHash(library: { name: string; embeddings: string }): Promise<string> {
  const { store } = openWorkspace();
  const { library: opened } = await ownLibrary({ store, ...library });
  return sha256(canonicalJson(opened.list().map(({ id, hash }) => [id, hash])));
}

function variantSettings({ settings, variants }: ExperimentDefinition): Record<string, unknown>[] {
  return variants.map((variant) => ({ ...settings, ...variant.settings }));
}
