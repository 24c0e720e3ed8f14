import { resolve } from "node:path";
import { packageRoot } from "../../../storage/packageRoot.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { robotWorld } from "../../../tools/catalogs/robot/world.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/hash.js";
import { readSource } from "../../../tools/sources/index.js";
import type { Benchmark } from "../benchmark.js";
import { ROBOT_TASKS, taskOf } from "./robotTask.js";
import { ROBOT_SCENES } from "./scenes.js";

const CATALOGUE = "robot";

const FILE = "tools/catalogs/robot/index.ts";

/**
 * The robot's benchmark: the published sequence of six situations at the table (level "scenario"), and
 * tasks that take more than the shipped tools do in the model calls that a run may make (levels "closed
 * loop" and "many steps"). What is judged is the table after a run, and what was said.
 */
export async function robotBenchmark(): Promise<Benchmark> {
  const tasks = Object.entries(ROBOT_TASKS).flatMap(([level, tasks]) =>
    tasks.map((task) => taskOf(level, task)),
  );
  const file = resolve(packageRoot(), FILE);
  const { tools } = await readSource({ file, catalog: CATALOGUE });
  return {
    name: "robot",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, scenes: ROBOT_SCENES, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    background: CATALOGS[CATALOGUE]?.background,
    world: { name: "robot" },
    startsWorld: robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" }),
    catalogue: CATALOGUE,
  };
}
