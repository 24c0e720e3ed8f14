import type { ShownCall, WatchedRun } from "../routes/watchedRun.js";
import { isOpen } from "../parts/RunBadge.js";
import type { ShownProgram } from "../routes/shownProgram.js";

/** What a line of a program has done. */
export interface LineCalls {
  calls: ShownCall[];
  /** Writes that were not made. */
  open: ShownProgram["open"];
  /** The tools that it would call and has not. */
  uncalled: string[];
}

/** What each line has done, by its number. */
export function callsByLine(
  program: ShownProgram,
  run: Pick<WatchedRun, "calls" | "status" | "waits">,
): Map<number, LineCalls> {
  const isAtWork = isOpen(run) || run.waits;
  const byId = new Map(run.calls.map((call) => [call.id, call]));
  const lines = new Map<number, LineCalls>();
  for (const { site, line, name } of program.sites) {
    const isHere = (place: string) => place === String(site) || place.startsWith(`${site}:`);
    const made = Object.entries(program.callIds).flatMap(([place, id]) =>
      isHere(place) ? (byId.get(id) ?? []) : [],
    );
    const open = program.open.filter((write) => write.site === site);
    const isUncalled = made.length + open.length === 0 && !isAtWork;
    const at = lines.get(line) ?? { calls: [], open: [], uncalled: [] };
    lines.set(line, {
      calls: [...at.calls, ...made],
      open: [...at.open, ...open],
      uncalled: isUncalled ? [...at.uncalled, name] : at.uncalled,
    });
  }
  return lines;
}
