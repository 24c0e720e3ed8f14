import { join } from "node:path";
import type { GraphId } from "../../graphs/index.js";
import { canonicalJson, sha256 } from "../../tools/library/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { prepareExperiment, type PreparedExperiment } from "../runs/prepare.js";
import { drawSome } from "./draw.js";
import type { GoldTask } from "./goldTask.js";
import { withOthers } from "./growth.js";
import { registerOracle } from "./oracleModel.js";
import type { Subject } from "./subject.js";

/** Fewest steps of a long task: the comparison shows what planning saves on those. */
export const LONG_PLAN = 3;

/** Sizes of filled-up libraries, in tools. */
const LIBRARY_SIZES = [100, 1_000, 15_000] as const;

/** Milliseconds of a model's reply and of a tool's call when wall time is measured. */
export const DELAYS = { model: 500, tool: 200 } as const;

/** `naive_tool` sends the whole library. Providers accept 128 tools, so larger libraries would show nothing more. */
const MOST_TOOLS_SHOWN = 1_000;

/** How large the comparison is. */
export interface ComparisonSize {
  graphs: readonly GraphId[];
  /** Tasks of each benchmark at most. */
  limit: number;
  /** Long tasks of each benchmark for wall time. */
  timed: number;
  /** Tasks of each benchmark for growing libraries. */
  grown: number;
  seed: number;
  /** Embedding model of the searches; the usual one when absent. */
  embeddings?: string;
}

/** One experiment of the comparison: an ordinary one, with its own folder. */
export interface OracleExperiment {
  part: "main" | "time" | "growth";
  benchmark: string;
  /** Tools of the library. */
  tools: number;
  /** Also the name of its folder. */
  name: string;
  prepared: PreparedExperiment;
  /** Milliseconds added to each tool call. */
  toolDelayMs: number;
  gold: readonly GoldTask[];
}

/**
 * The experiments over one benchmark.
 *
 * @param options.others tools to fill libraries up with; if there are none, no library grows
 * @param options.folder where the declarations of filled-up libraries are stored
 */
export async function experimentsFor(options: {
  subject: Subject;
  size: ComparisonSize;
  others: readonly ToolDefinition[];
  folder: string;
}): Promise<OracleExperiment[]> {
  const { subject, size } = options;
  const { name } = subject.benchmark;
  const draw = (gold: readonly GoldTask[], purpose: string, count: number) =>
    drawSome(gold, { count, seed: size.seed, purpose: `${purpose} ${name}` });
  const long = subject.gold.filter(({ plan }) => plan.steps.length >= LONG_PLAN);
  const { benchmark } = subject;
  const main = { part: "main", benchmark, gold: draw(subject.gold, "main", size.limit) } as const;
  const time = { part: "time", benchmark, gold: draw(long, "time", size.timed) } as const;
  const grown = await grownLibraries(options);
  const growth = grown.map((benchmark) => ({
    part: "growth" as const,
    benchmark,
    gold: draw(subject.gold, "growth", size.grown),
  }));
  const wanted = [main, time, ...growth].filter(({ gold }) => gold.length > 0);
  return Promise.all(wanted.map((each) => experiment({ subject, size, ...each })));
}

async function grownLibraries(options: Parameters<typeof experimentsFor>[0]): Promise<Benchmark[]> {
  const { subject, size, others, folder } = options;
  if (others.length === 0) return [];
  const grown = await Promise.all(
    LIBRARY_SIZES.map((tools) =>
      withOthers({
        subject,
        others,
        tools,
        seed: size.seed,
        folder: join(folder, "declarations", `${subject.benchmark.name}-${tools}`),
      }),
    ),
  );
  // With too few other tools, a larger library would be the same one.
  return grown.filter(({ tools }, at) => tools.length !== grown[at - 1]?.tools.length);
}

async function experiment(options: {
  subject: Subject;
  size: ComparisonSize;
  part: OracleExperiment["part"];
  benchmark: Benchmark;
  gold: readonly GoldTask[];
}): Promise<OracleExperiment> {
  const { subject, size, part, benchmark, gold } = options;
  const { seed, embeddings } = size;
  const tools = benchmark.tools.length;
  const name = [part, benchmark.name, ...(part === "growth" ? [tools] : [])].join("-");
  const isTimed = part === "time";
  const model = registerOracle({ name, tasks: gold, delayMs: isTimed ? DELAYS.model : 0 });
  const prepared = await prepareExperiment({
    benchmark: subject.named,
    selection: { ids: gold.map(({ task }) => task.id) },
    graphs: size.graphs.filter((graph) => graph !== "naive_tool" || tools <= MOST_TOOLS_SHOWN),
    settings: {
      model,
      approval: "none",
      flowRules: "off",
      ...(embeddings === undefined ? {} : { embeddings }),
    },
    grid: {},
    runs: 1,
    seed,
    catalogue: subject.catalogue ?? "none",
    checkpoints: "none",
  });
  return {
    part,
    benchmark: benchmark.name,
    tools,
    name,
    prepared: { ...prepared, benchmark, definition: definitionOf(prepared, benchmark) },
    toolDelayMs: isTimed ? DELAYS.tool : 0,
    gold,
  };
}

/** A benchmark with a filled-up library, or with other answers from its tools, is another benchmark. */
function definitionOf({ definition }: PreparedExperiment, { tools }: Benchmark) {
  const ids = tools.map(({ id }) => id);
  const hash = sha256(canonicalJson({ hash: definition.benchmark.hash, ids }));
  return { ...definition, benchmark: { ...definition.benchmark, hash, tools: tools.length } };
}
