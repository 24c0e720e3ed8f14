import { OFFLINE_MODEL } from "../../state/settings.js";
import type { Results } from "../runs/experimentFolder.js";
import { summarizeRuns } from "./summarizeRuns.js";
import type { Summary } from "./summary.js";

/** The figures of an experiment, from the contents of its folder. */
export async function summarizeResults(results: Results): Promise<Summary> {
  const { experiment, tasks, records, libraries, tools } = results;
  const { definition } = experiment;
  const { graphs, variants, runs, benchmark } = definition;
  return summarizeRuns({
    name: benchmark.name,
    benchmark,
    tasks,
    ...(tools ? { tools } : {}),
    records,
    planned: tasks.length * graphs.length * variants.length * runs,
    libraries,
    facts: factsOf(results),
    order: { graphs, variants: variants.map(({ name }) => name) },
  });
}

/** What a reader needs to know to repeat the experiment. */
function factsOf({ experiment, records }: Results): Summary["facts"] {
  const { definition, version, startedAt } = experiment;
  const { settings, variants, runs, seed, catalog, others } = definition;
  const models = unique(records.map(({ model }) => model));
  const facts: [string, string | undefined][] = [
    ["Models", models.map(modelText).join(", ")],
    ["Embeddings", unique(records.map(({ embeddings }) => embeddings)).join(", ")],
    ["Variants", variants.length > 1 ? variants.map(({ name }) => name).join(" · ") : undefined],
    ["Settings", settingsText(settings)],
    ["Repetitions", `${runs}, seeds from ${seed}`],
    ["Functions", catalog === undefined ? "none: calls are only recorded" : `catalog ${catalog}`],
    ["Tools on offer", others === undefined ? undefined : `a task's own among ${others} others`],
    ["Started", startedAt],
    ["Version", `tulipgraph ${version}`],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []));
}

/** Sorted, so that the order in which runs ended does not matter. */
function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

function modelText(model: string): string {
  return model === OFFLINE_MODEL ? `${model} (no language model)` : model;
}

function settingsText(settings: Record<string, unknown>): string {
  return Object.entries(settings)
    .filter(([name]) => name !== "model" && name !== "embeddings")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
