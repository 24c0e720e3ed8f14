import { CATALOGS } from "../../../tools/catalogs/index.js";
import { robotWorld } from "../../../tools/catalogs/robot/world.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { Benchmark } from "../benchmark.js";
import { catalogTools } from "../shipped.js";
import { ROBOT_TASKS, taskOf } from "./robotTask.js";
import { ROBOT_SCENES } from "./scenes.js";

const CATALOG = "robot";

/**
 * The robot's benchmark: the published sequence of six situations at the table (level "scenario"), and tasks that the
 * shipped tools cannot do within the allowed model calls (levels "closed loop" and "many steps"). A run is judged by
 * the table afterwards and by what was said.
 */
export async function robotBenchmark(): Promise<Benchmark> {
  const tasks = Object.entries(ROBOT_TASKS).flatMap(([level, tasks]) =>
    tasks.map((task) => taskOf(level, task)),
  );
  const tools = await catalogTools(CATALOG);
  return {
    name: "robot",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, scenes: ROBOT_SCENES, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    background: CATALOGS[CATALOG]?.background,
    world: { name: "robot" },
    ownWorlds: [robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" })],
    catalog: CATALOG,
  };
}
