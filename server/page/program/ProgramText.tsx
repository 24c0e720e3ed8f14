import { useMemo } from "react";
import type { ShownProgram } from "../routes/shownProgram.js";
import type { WatchedRun, ShownCall } from "../routes/watchedRun.js";
import { CodeLine, linesOf } from "../parts/Code.js";
import { Rows, isOpen } from "../parts/Frame.js";
import { CallRows, fieldsText } from "./CallRows.js";

/** Writes not made that are shown for a line before one asks for more. */
const FIRST_OPEN = 20;

/** The source of a program, beside each line what it did. */
export function ProgramText({ run, program }: { run: WatchedRun; program: ShownProgram }) {
  const lines = useMemo(() => linesOf(program.code.trimEnd()), [program.code]);
  const byLine = callsByLine(program, run);
  const placed = new Set([...byLine.values()].flatMap(({ calls }) => calls.map(({ id }) => id)));
  const others = run.calls.filter(({ id }) => !placed.has(id));
  return (
    <>
      <ol className="program box" aria-label="The program">
        {lines.map((tokens, at) => {
          const done = byLine.get(at + 1);
          const issues = program.issues.filter(({ line }) => line === at + 1);
          return (
            <li key={at}>
              <span className="source">
                <span className="number" aria-hidden="true">
                  {at + 1}
                </span>
                <CodeLine tokens={tokens} />
              </span>
              {done && <LineDone done={done} run={run} />}
              {issues.map(({ problem }) => (
                <p key={problem} className="done small bad">
                  {problem}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
      {program.left !== "" && !run.calls.some(({ error }) => error) && (
        <p className="notice bad">The program was abandoned: {program.left}</p>
      )}
      {others.length > 0 && (
        <>
          <h3>Calls outside this program</h3>
          <CallRows calls={others} />
        </>
      )}
    </>
  );
}

function LineDone({ done, run }: { done: LineCalls; run: WatchedRun }) {
  const { calls, open, uncalled } = done;
  return (
    <div className="done">
      {calls.length > 0 && <CallRows calls={calls} />}
      <Rows of={open} first={FIRST_OPEN}>
        {(some) =>
          some.map(({ name, args, isLeftOut }, at) => (
            <p key={at} className={`small mark ${isLeftOut ? "skipped" : "wait"}`}>
              <span className="mono">
                {name}({fieldsText(args)})
              </span>{" "}
              {isLeftOut
                ? "skipped by a person"
                : run.waits
                  ? "waiting for you"
                  : isOpen(run)
                    ? "not made yet"
                    : "not made"}
            </p>
          ))
        }
      </Rows>
      {uncalled.map((name) => (
        <p key={name} className="small muted">
          {name} not called
        </p>
      ))}
    </div>
  );
}

interface LineCalls {
  calls: ShownCall[];
  /** Writes that were not made. */
  open: ShownProgram["open"];
  /** The tools that it would call and has not. */
  uncalled: string[];
}

function callsByLine(program: ShownProgram, run: Pick<WatchedRun, "calls" | "status" | "waits">) {
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
