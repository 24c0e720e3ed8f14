import type { Plan, PlanTool } from "../../plans/plan.js";
import { referencesIn } from "../../plans/references.js";

/**
 * The steps of a checked plan in waves. Steps of a wave can run concurrently, because they only refer to
 * earlier waves; within a wave they are in plan order. A call that writes, or whose tool is unknown, runs after
 * all steps before it and before all steps after it, so that each call finds what it would find sequentially.
 *
 * @returns positions of steps
 */
export function stepsInOrder({ plan, tools }: { plan: Plan; tools: PlanTool[] }): number[][] {
  const reading = new Set(tools.filter(({ effects }) => effects === "read").map(({ id }) => id));
  const waves: number[][] = [];
  const waveOf: number[] = [];
  let earliest = 0;
  for (const [at, { tool, args }] of plan.steps.entries()) {
    const isWrite = !reading.has(tool);
    const used = referencesIn(args).map(({ $prev }) => (waveOf[$prev] ?? -1) + 1);
    const wave = isWrite ? Math.max(earliest, waves.length) : Math.max(earliest, ...used);
    waveOf.push(wave);
    waves[wave] = [...(waves[wave] ?? []), at];
    if (isWrite) earliest = Math.max(earliest, wave + 1);
  }
  return waves;
}
