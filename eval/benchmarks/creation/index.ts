import { canonicalJson, sha256 } from "../../../tools/library/records/hash.js";
import type { Benchmark } from "../benchmark.js";
import { MADE_TOOLS } from "./compareMadeTools.js";
import { START_TOOLS } from "./madeTools.js";
import { CREATION_REQUESTS } from "./requests.js";

/**
 * Requests for tools, each with calls that its author is not shown. A run starts with its own few tools and is judged
 * by the tools it leaves in its thread. Only graphs that edit tools can make any: `auto_tulip`.
 */
export async function creationBenchmark(): Promise<Benchmark> {
  return {
    name: "creation",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson([CREATION_REQUESTS, START_TOOLS])),
    tools: [],
    tasks: CREATION_REQUESTS.map(({ id, query, theme, wanted, checks, unmet }) => ({
      id,
      query,
      tools: [],
      level: theme,
      stateDiff: { wanted, checks: checks.length },
      ...(unmet ? { unmet: [...unmet] } : {}),
    })),
    argumentRule: "equal",
    world: { name: MADE_TOOLS },
  };
}
