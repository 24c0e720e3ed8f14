import type { ShownCall, ShownProgram, WatchedRun } from "../../console/watchedRun.js";

/** What a line of a program has done. */
export interface LineCalls {
  calls: ShownCall[];
  /** Places of writes that a person has left out. */
  skipped: number;
  /** The tools that it would call and has not. */
  open: string[];
  /** Writes of it that wait for a decision. */
  waiting: number;
}

/** What each line has done, by its number. */
export function callsByLine(
  program: ShownProgram,
  { calls, interrupts, status }: Pick<WatchedRun, "calls" | "interrupts" | "status">,
): Map<number, LineCalls> {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const asked = namesAsked(interrupts);
  const lines = new Map<number, LineCalls>();
  for (const { site, line, name } of program.sites) {
    const isHere = (place: string) => place === String(site) || place.startsWith(`${site}:`);
    const made = Object.entries(program.callIds).flatMap(([place, id]) =>
      isHere(place) ? (byId.get(id) ?? []) : [],
    );
    const skipped = program.skipped.filter(isHere).length;
    const waiting = asked.filter((tool) => isCalled(name, tool)).length;
    const isOpen = made.length + skipped + waiting === 0 && status !== "success";
    const at = lines.get(line) ?? { calls: [], skipped: 0, open: [], waiting: 0 };
    lines.set(line, {
      calls: [...at.calls, ...made],
      skipped: at.skipped + skipped,
      open: isOpen ? [...at.open, name] : at.open,
      waiting: at.waiting + waiting,
    });
  }
  return lines;
}

/** The tools of the writes that wait for a decision. */
function namesAsked(interrupts: WatchedRun["interrupts"]): string[] {
  return interrupts.flatMap(({ value }) => {
    const { kind, actionRequests } = Object(value) as { kind?: string; actionRequests?: unknown };
    if (kind !== "writes" || !Array.isArray(actionRequests)) return [];
    return actionRequests.map((action) => String(Object(action)["name"]));
  });
}

/** A function in a group is named after its tool, or by what follows the group's name in it. */
function isCalled(name: string, tool: string): boolean {
  const own = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return (
    tool === name ||
    tool
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .endsWith(own)
  );
}
