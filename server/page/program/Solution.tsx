/* The program: a plan with values flowing through it. */
import "./program.css";
import { useState, useContext, useMemo } from "react";
import type { ReceiptLine } from "../../../state/deeds.js";
import type { WatchedRun } from "../routes/watchedRun.js";
import { isOpen, Button, badgeOf } from "../parts/Frame.js";
import { Code } from "../parts/Code.js";
import { RunContext, LitContext } from "../parts/api.js";
import { counted, shortText } from "../parts/words.js";
import { CallRows } from "./CallRows.js";
import { ProgramText } from "./ProgramText.js";
import { partsOf } from "./origins.js";

/** What a run has come to, and how. */
export function Solution({ run, isOpen: isUnfolded }: { run: WatchedRun; isOpen: boolean }) {
  const [lit, light] = useState<string>();
  const { program, calls, answer, plan } = run;
  const writes = calls.filter((call) => call.writes && call.error === undefined).length;
  const counts = [counted(calls.length, "call"), ...(writes > 0 ? [counted(writes, "write")] : [])];
  return (
    <RunContext value={run.runId}>
      <LitContext value={{ lit, light }}>
        {plan !== "" && <p>These calls are planned. None was made.</p>}
        {plan !== "" && <Code code={plan} label="The plan" />}
        {plan === "" && answer !== "" && !isOpen(run) && <AnswerText run={run} />}
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

/** What a run has done, in sentences that no model wrote. */
function Receipt({ lines }: { lines: readonly ReceiptLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl className="receipt" aria-label="Receipt">
      {lines.map(({ kind, label, says }) => (
        <div key={kind} className={kind}>
          {label && <dt>{label}</dt>}
          {says.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** The answer. Pointing at a value shows the call that gave it. */
function AnswerText({ run }: { run: WatchedRun }) {
  const { answer, calls } = run;
  const { lit, light } = useContext(LitContext);
  const parts = useMemo(() => partsOf(answer, calls), [answer, calls]);
  const byId = useMemo(() => new Map(calls.map((call) => [call.id, call])), [calls]);
  const { kind } = badgeOf(run);
  return (
    <div className={`answer ${kind === "bad" ? "bad" : ""}`}>
      {parts.map(({ text, call }, at) => {
        const source = call === undefined ? undefined : byId.get(call);
        if (!source) return <span key={at}>{text}</span>;
        return (
          <Button
            key={at}
            className={`from ${lit === call ? "lit" : ""}`}
            title={`From ${source.tool}(${shortText(source.args, 80)})`}
            aria-label={`${text}, from ${source.tool}`}
            onPointerEnter={() => light(call)}
            onPointerLeave={() => light(undefined)}
            onFocus={() => light(call)}
            onBlur={() => light(undefined)}
            onClick={() => showCall(source.id)}
          >
            {text}
          </Button>
        );
      })}
    </div>
  );
}

function showCall(id: string): void {
  const row = [...document.querySelectorAll<HTMLElement>("[data-call]")].find(
    ({ dataset }) => dataset["call"] === id,
  );
  row?.closest("details")?.setAttribute("open", "");
  row?.scrollIntoView({ block: "center", behavior: "smooth" });
}
