import { useContext, useState } from "react";
import type { ShownCall } from "../../console/watchedRun.js";
import { Value } from "../parts/Value.js";
import { counted, durationText, shortText } from "../parts/words.js";
import { LitContext } from "./lit.js";

/** Calls of one line that are shown before one asks for more. */
const FIRST = 5;

/** More of them at a time, so that a thousand calls do not halt the page. */
const MORE = 200;

/** Calls as rows: a loop has one for each round. */
export function CallRows({ calls }: { calls: readonly ShownCall[] }) {
  const [shown, setShown] = useState(FIRST);
  const failed = calls.filter(({ error }) => error !== undefined).length;
  return (
    <div className="calls">
      {calls.length > FIRST && (
        <p className="sum muted">
          {counted(calls.length, "call")}
          {failed > 0 && <span className="bad"> · {failed} failed</span>}
        </p>
      )}
      <ul>
        {calls.slice(0, shown).map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </ul>
      {calls.length > shown && (
        <button type="button" className="link" onClick={() => setShown(shown + MORE)}>
          {counted(calls.length - shown, "more call")}
        </button>
      )}
    </div>
  );
}

/** What became of a call, as a word and a colour. */
function stateOf({ error, refused, writes }: ShownCall): [word: string, kind: string] {
  if (refused) return ["refused", "bad"];
  if (error !== undefined) return ["failed", "bad"];
  return writes ? ["written", "write"] : ["read", "read"];
}

function CallRow({ call }: { call: ShownCall }) {
  const { lit, light } = useContext(LitContext);
  const { id, tool, args, result, error, ms } = call;
  const [word, kind] = stateOf(call);
  return (
    <li
      data-call={id}
      className={`call ${kind} ${lit === id ? "lit" : ""}`}
      onPointerEnter={() => light(id)}
      onPointerLeave={() => light(undefined)}
    >
      <details>
        <summary>
          <span className={`kind ${kind}`}>{word}</span>
          <span className="made">
            <span className="tool">{tool}</span>
            <span className="args">({fieldsText(args)})</span>
          </span>
          <span className={`gave ${error === undefined ? "" : "bad"}`}>
            {error === undefined ? resultText(call) : shortText(error, 160)}
          </span>
        </summary>
        <div className="whole">
          <h4>Arguments</h4>
          <Value value={args} />
          <h4>{error === undefined ? "Result" : "Error"}</h4>
          {call.isElsewhere ? (
            <p className="muted">
              The result is too long for the page; the server&apos;s journal has it.
            </p>
          ) : (
            <Value value={error ?? result} />
          )}
          <p className="muted">{durationText(ms)}</p>
        </div>
      </details>
    </li>
  );
}

/** The fields of an object on one line, as in a call. */
export function fieldsText(fields: object): string {
  const given = Object.entries(fields).map(([name, value]) => `${name}: ${shortText(value, 40)}`);
  return shortText(given.join(", "), 120);
}

function resultText({ result, isElsewhere }: ShownCall): string {
  if (isElsewhere) return "a long result";
  if (Array.isArray(result)) return counted(result.length, "item");
  if (typeof result === "object" && result !== null) return fieldsText(result);
  return shortText(result ?? "done", 100);
}
