import { useContext, useState } from "react";
import type { ShownCall } from "../routes/watchedRun.js";
import { Button, Fold, Rows } from "../parts/Frame.js";
import { Value, hasFile } from "../parts/Value.js";
import { counted, durationText, shortText } from "../parts/words.js";
import { LitContext } from "../parts/api.js";

const FIRST = 5;

/** Calls as rows: a loop has one for each round. Those that failed can be picked out. */
export function CallRows({ calls }: { calls: readonly ShownCall[] }) {
  const [isPicked, setPicked] = useState(false);
  const failed = calls.filter(({ error }) => error !== undefined);
  const shown = isPicked ? failed : calls;
  return (
    <div className="calls">
      {calls.length > FIRST && (
        <p className="small muted">
          {counted(calls.length, "call")}
          {failed.length > 0 && (
            <>
              {" · "}
              <Button kind="link" aria-pressed={isPicked} onClick={() => setPicked(!isPicked)}>
                {failed.length} failed
              </Button>
            </>
          )}
        </p>
      )}
      <Rows key={String(isPicked)} of={shown} first={FIRST}>
        {(some) => (
          <ul>
            {some.map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </ul>
        )}
      </Rows>
    </div>
  );
}

function stateOf({ error, refused, writes }: ShownCall): [word: string, kind: string] {
  if (refused) return ["refused", "bad"];
  if (error !== undefined) return ["failed", "bad"];
  return writes ? ["written", "write"] : ["read", "read"];
}

function CallRow({ call }: { call: ShownCall }) {
  const { lit, light } = useContext(LitContext);
  const { id, tool, args, result, error, ms, isElsewhere } = call;
  const [word, kind] = stateOf(call);
  const summary = (
    <>
      <span className={`kind ${kind}`}>{word}</span>
      <span className="made line mono">
        <span className="tool">{tool}</span>
        <span className="args">({fieldsText(args)})</span>
      </span>
      <span className={`gave line mono ${error === undefined ? "" : "bad"}`}>
        {error === undefined ? resultText(call) : shortText(error, 160)}
      </span>
    </>
  );
  return (
    <li
      data-call={id}
      className={`call ${kind} ${lit === id ? "lit" : ""}`}
      onPointerEnter={() => light(id)}
      onPointerLeave={() => light(undefined)}
    >
      <Fold summary={summary} isOpen={error === undefined && hasFile(result)}>
        <div className="whole">
          <h4>Arguments</h4>
          <Value value={args} />
          <h4>{error === undefined ? "Result" : "Error"}</h4>
          {isElsewhere ? <p className="muted">{TOO_LONG}</p> : <Value value={error ?? result} />}
          <p className="muted">{durationText(ms)}</p>
        </div>
      </Fold>
    </li>
  );
}

const TOO_LONG = "The result is too long to show here; the server's journal has it.";

/** The fields of an object on one line, as in a call. */
export function fieldsText(fields: object): string {
  const given = Object.entries(fields).map(([name, value]) => `${name}: ${shortText(value, 40)}`);
  return shortText(given.join(", "), 120);
}

function resultText({ result, isElsewhere }: ShownCall): string {
  if (isElsewhere) return "a long result";
  if (hasFile(result)) return "a file";
  if (Array.isArray(result)) return counted(result.length, "item");
  if (typeof result === "object" && result !== null) return fieldsText(result);
  return shortText(result ?? "done", 100);
}
