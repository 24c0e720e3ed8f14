import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { inRandomOrder, randomFor } from "../statistics/random.js";
import type { Benchmark, Task } from "./benchmark.js";

/** By what tasks are selected, under the names of the options. */
const PROPERTIES = {
  split: ({ split }: Task) => split,
  level: ({ level }: Task) => level,
  task: ({ id }: Task) => id,
};

/** Which tasks of a benchmark to run; an absent field does not restrict them. */
export type Selection = Partial<Record<keyof typeof PROPERTIES, readonly string[]>> & {
  /** At most this many, taken evenly from the levels. */
  limit?: number;
};

/**
 * The selected tasks, in the order of the benchmark.
 *
 * @throws UnknownName for a split, level or id that no task has
 * @throws InvalidSetting if no task is left
 */
export function selectTasks(
  { tasks, name }: Pick<Benchmark, "name" | "tasks">,
  { limit, ...selection }: Selection,
): Task[] {
  let selected = tasks;
  for (const kind of ["split", "level", "task"] as const) {
    const [of, wanted] = [PROPERTIES[kind], selection[kind]];
    if (wanted === undefined) continue;
    const available = [...new Set(tasks.flatMap((task) => of(task) ?? []))];
    const unknown = wanted.find((value) => !available.includes(value));
    if (unknown !== undefined)
      throw new UnknownName({ kind: `${kind} of ${name}`, wanted: unknown, available });
    selected = selected.filter((task) => wanted.includes(of(task) ?? ""));
  }
  if (selected.length === 0) {
    const problem = `no task of ${name} matches all of it`;
    throw new InvalidSetting({ setting: "selection", problem, hint: "Select by fewer properties" });
  }
  return limit === undefined ? selected : evenly(selected, limit);
}

/**
 * The ids of the tools on offer for a task: its own (those of a right solution, and the origin's candidates if it names
 * any) among a number of others, drawn from the whole benchmark. The draw depends only on the seed and the task.
 *
 * @param options.shuffled draws the order, too: in which order a model reads its tools matters (TPTU-v2)
 * @returns ids in the order of the benchmark, which does not reveal the task's own, unless shuffled
 */
export function offerAmong(options: {
  benchmark: Pick<Benchmark, "tools">;
  task: Pick<Task, "id" | "tools" | "candidates">;
  /** All others if absent. */
  others?: number;
  seed: number;
  shuffled?: boolean;
}): string[] {
  const { benchmark, task, seed, shuffled } = options;
  const offered = new Set([...(task.candidates ?? []), ...task.tools]);
  const ids = benchmark.tools.map(({ id }) => id);
  const rest = ids.filter((id) => !offered.has(id));
  const { others = rest.length } = options;
  const random = randomFor(`${seed} ${task.id}`);
  for (const drawn of shuffledFirst(rest, others, random)) offered.add(drawn);
  const inOrder = ids.filter((id) => offered.has(id));
  return shuffled ? inRandomOrder(inOrder, random) : inOrder;
}

/** The first steps of a Fisher-Yates shuffle: a drawn item swaps places with the first that is left. */
export function shuffledFirst<Item>(
  items: readonly Item[],
  count: number,
  random: () => number,
): Item[] {
  const mixed = [...items];
  const most = Math.min(count, mixed.length);
  for (let drawn = 0; drawn < most; drawn += 1) {
    const at = drawn + Math.floor(random() * (mixed.length - drawn));
    [mixed[drawn], mixed[at]] = [mixed[at] as Item, mixed[drawn] as Item];
  }
  return mixed.slice(0, most);
}

/** The first tasks of each level, taken from the levels in turn. */
function evenly(tasks: readonly Task[], limit: number): Task[] {
  const names = [...new Set(tasks.map(({ level }) => level))];
  const levels = names.map((name) => tasks.filter(({ level }) => level === name));
  const chosen = new Set<Task>();
  for (let turn = 0; chosen.size < Math.min(limit, tasks.length); turn += 1) {
    for (const level of levels) {
      const task = level[turn];
      if (task && chosen.size < limit) chosen.add(task);
    }
  }
  return tasks.filter((task) => chosen.has(task));
}
