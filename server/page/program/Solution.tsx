/*
 * The program: a plan with values flowing through it.
 *
 * Solution     the answer, the program and the calls of a run, which point at each other
 * Receipt      what was done, as the journal has it
 * AnswerText   the answer, each of whose values leads to the call that gave it
 * ProgramText  the source, beside each line the calls that it made
 * CallRows     calls as rows, with arguments and results
 * sites        which calls belong to which line
 * origins      which call gave which part of an answer
 */
import "./program.css";
import { useState } from "react";
import type { WatchedRun } from "../routes/watchedRun.js";
import { isOpen } from "../parts/RunBadge.js";
import { RunContext } from "../parts/caller.js";
import { counted } from "../parts/words.js";
import { AnswerText } from "./AnswerText.js";
import { CallRows } from "./CallRows.js";
import { LitContext } from "./lit.js";
import { Receipt } from "./Receipt.js";
import { ProgramText } from "./ProgramText.js";

/** What a run has come to, and how. */
export function Solution({ run, isOpen: isUnfolded }: { run: WatchedRun; isOpen: boolean }) {
  const [lit, light] = useState<string>();
  const { program, calls, answer } = run;
  const writes = calls.filter((call) => call.writes && call.error === undefined).length;
  const counts = [counted(calls.length, "call"), ...(writes > 0 ? [counted(writes, "write")] : [])];
  return (
    <RunContext value={run.runId}>
      <LitContext value={{ lit, light }}>
        {answer !== "" && !isOpen(run) && <AnswerText run={run} />}
        {!isOpen(run) && <Receipt lines={run.receipt} />}
        {(program !== null || calls.length > 0) && (
          <details className="solution" open={isUnfolded || run.waits}>
            <summary>
              {program ? "The program" : "Calls"}
              <span className="muted"> · {counts.join(" · ")}</span>
            </summary>
            {program ? <ProgramText run={run} program={program} /> : <CallRows calls={calls} />}
          </details>
        )}
      </LitContext>
    </RunContext>
  );
}
