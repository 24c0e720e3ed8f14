import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import { followAhead, followProgram, programCalls, writesMade } from "./followProgram.js";

/**
 * Whether the program of a run was left after some of its writes, with others still to be made. The program is
 * followed to its end as if what had failed in it had been passed over: the writes that come then must be among
 * those made since, call by call. If they cannot be told, it was left half-way.
 */
export async function isLeftHalfWay(options: {
  state: GraphState;
  settings: Settings;
}): Promise<boolean> {
  const { state } = options;
  const { program } = state;
  if (!program?.left) return false;
  const made = programCalls(program, state);
  const failed = [...made].flatMap(([place, { error }]) => (error === undefined ? [] : [place]));
  const passed = { ...program, skipped: [...program.skipped, ...failed] };
  const followed = await followProgram({ ...options, program: passed });
  if ("problem" in followed) return made.size > 0;
  const written = writesMade({ program, state, followed });
  if (!written.some(({ error }) => error === undefined)) return false;
  const { progress } = await followAhead({ state, program: passed, followed });
  const { writes, complete, fault, look, need } = progress;
  if (!complete || fault || look || need) return true;
  const own = new Set([...made.values()].map(({ id }) => id));
  const since = state.calls.filter(
    ({ id, error, refused }) => !own.has(id) && error === undefined && !refused,
  );
  return !writes.every(({ tool, args }) =>
    since.some((call) => call.tool === tool.id && isDeepStrictEqual(call.args, args)),
  );
}
