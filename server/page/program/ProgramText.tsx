import { useMemo } from "react";
import type { ShownProgram, WatchedRun } from "../../console/watchedRun.js";
import { CodeLine, linesOf } from "../parts/Code.js";
import { counted } from "../parts/words.js";
import { CallRows } from "./CallRows.js";
import { type LineCalls, callsByLine } from "./sites.js";

/** The source of a program, beside each line what it did. */
export function ProgramText({ run, program }: { run: WatchedRun; program: ShownProgram }) {
  const lines = useMemo(() => linesOf(program.code.trimEnd()), [program.code]);
  const byLine = callsByLine(program, run);
  const placed = new Set([...byLine.values()].flatMap(({ calls }) => calls.map(({ id }) => id)));
  const others = run.calls.filter(({ id }) => !placed.has(id));
  return (
    <>
      <ol className="program" aria-label="The program">
        {lines.map((tokens, at) => {
          const done = byLine.get(at + 1);
          const issues = program.issues.filter(({ line }) => line === at + 1);
          return (
            <li key={at} className={done ? "calling" : ""}>
              <span className="source">
                <span className="number" aria-hidden="true">
                  {at + 1}
                </span>
                <CodeLine tokens={tokens} />
              </span>
              {done && <LineDone done={done} />}
              {issues.map(({ problem }) => (
                <p key={problem} className="issue bad">
                  {problem}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
      {program.left !== "" && (
        <p className="notice bad">The program was left half-way: {program.left}</p>
      )}
      {others.length > 0 && (
        <section className="others">
          <h3>Calls outside this program</h3>
          <CallRows calls={others} />
        </section>
      )}
    </>
  );
}

function LineDone({ done }: { done: LineCalls }) {
  const { calls, skipped, open, waiting } = done;
  return (
    <div className="done">
      {calls.length > 0 && <CallRows calls={calls} />}
      {waiting > 0 && <p className="mark wait">{counted(waiting, "write")} waiting for you</p>}
      {skipped > 0 && (
        <p className="mark skipped">{counted(skipped, "write")} left out by a person</p>
      )}
      {open.map((name) => (
        <p key={name} className="mark muted">
          {name} not called
        </p>
      ))}
    </div>
  );
}
