import type { Interval } from "./bootstrap.js";
import { mean } from "./descriptive.js";

/** Standard deviations of the normal distribution for 95 %. */
const Z = 1.959_963_984_540_054;

/**
 * Wilson's 95 % score interval of a share (Wilson 1927; Brown, Cai and DasGupta 2001), which holds at the edges: 0 of 60
 * is 0 to .06, 2 of 2 is .34 to 1. Tasks count, not runs, because the repetitions of a task are alike. For values between
 * 0 and 1 it is wider than it need be. Bounds are NaN if there is no value.
 *
 * @param groups the values of each task; empty groups are left out
 */
export function wilsonInterval(groups: Iterable<readonly number[]>): Interval {
  const tasks = [...groups].filter((values) => values.length > 0);
  const n = tasks.length;
  if (n === 0) return { low: Number.NaN, high: Number.NaN };
  const share = mean(tasks.flat());
  const middle = share + (Z * Z) / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  const scale = 1 + (Z * Z) / n;
  return {
    low: share === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: share === 1 ? 1 : Math.min(1, (middle + half) / scale),
  };
}
