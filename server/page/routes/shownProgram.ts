import type { Program } from "../../../plans/language/program.js";
import type { Outcome, PlannedCall, ProgramTool } from "../../../plans/language/progress.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import type { Call, ProgramState } from "../../../state/state.js";
import type { LibraryView } from "../../../tools/library/library.js";

/** A program beside its calls. */
export type ShownProgram = ReturnType<typeof shownProgram>;

/** A program with what it has done and what it would still write. */
export function shownProgram(options: {
  program: ProgramState;
  calls: readonly Call[];
  /** Undefined if it is gone. */
  library: LibraryView | undefined;
}) {
  const { program, library } = options;
  const { code, callIds, skipped, left, issues } = program;
  const groups = library?.groups().list.map(({ name }) => name);
  const read = readProgram(code, { groups, isCode: true });
  const sites = "program" in read ? read.program.calls : [];
  const open = "program" in read ? writesOpen(options, read.program) : [];
  return {
    code,
    /** Where the code calls tools. */
    sites: sites.map(({ site, line, name }) => ({ site, line, name })),
    /** Ids of calls by place: the site, and the rounds of the loops around it ("4:0"). */
    callIds,
    /** Writes that were not made: a person left them out, or they are still to come. */
    open: open.map(({ place, tool, args }) => ({
      site: Number.parseInt(place, 10),
      name: tool.name,
      args,
      isLeftOut: skipped.includes(place),
    })),
    /** Why it was abandoned; empty while it is followed. */
    left,
    issues: issues.map(({ line, problem }) => ({ line, problem })),
  };
}

/** The writes that the interpreter would make next, as if nobody had left any out. */
function writesOpen(shown: Parameters<typeof shownProgram>[0], read: Program): PlannedCall[] {
  const { program, calls, library } = shown;
  const { callIds, aheadIds, looks, today } = program;
  const byId = new Map(calls.map((call) => [call.id, call]));
  const outcomes = Object.entries({ ...aheadIds, ...callIds }).flatMap(
    ([place, id]): [string, Outcome][] => {
      const call = byId.get(id);
      if (!call) return [];
      return [[place, call.error === undefined ? { result: call.result } : { error: call.error }]];
    },
  );
  const tools = [...new Set(read.calls.map(({ name }) => name))].map((name): ProgramTool => {
    const id = library?.groups().toolNamed(name) ?? name;
    return { name, id, effects: library?.get(id)?.effects ?? "write" };
  });
  const known = { outcomes: new Map(outcomes), looks: new Map(Object.entries(looks)) };
  return interpretProgram(read, { ...known, today, tools, ahead: true }).writes;
}
