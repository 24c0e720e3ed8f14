import { useState } from "react";
import type { ShownVisit, WatchedRun } from "../../console/watchedRun.js";
import { counted, durationText } from "../parts/words.js";
import { GoBack } from "./GoBack.js";

/** Visits that are shown before one asks for more. */
const FIRST = 40;

/** What each visit of a stage did, took and was told. */
export function Visits({ run, visits }: { run: WatchedRun; visits: readonly ShownVisit[] }) {
  const [shown, setShown] = useState(FIRST);
  return (
    <>
      <ol className="visits" aria-label="Visits">
        {visits.slice(0, shown).map((visit, at) => (
          <Visit key={`${visit.checkpoint} ${at}`} run={run} visit={visit} />
        ))}
      </ol>
      {visits.length > shown && (
        <button type="button" className="link" onClick={() => setShown(shown + 200)}>
          {counted(visits.length - shown, "more visit")}
        </button>
      )}
    </>
  );
}

function Visit({ run, visit }: { run: WatchedRun; visit: ShownVisit }) {
  const { stage, ms, lines, modelCalls, tokens, replies, checkpoint } = visit;
  const [isUnfolded, setUnfolded] = useState(false);
  const asked = modelCalls > 0 ? `${counted(tokens, "token")} · ` : "";
  return (
    <li>
      <details onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
        <summary>
          <span className="stage">{stage}</span>
          <span className="first">{lines[0]}</span>
          <span className="muted ms">
            {asked}
            {ms === null ? "at work" : durationText(ms)}
          </span>
        </summary>
        {isUnfolded && (
          <div className="visit">
            {lines.length > 1 && <p className="text long">{lines.join("\n")}</p>}
            {modelCalls > 0 && (
              <p className="muted">
                {counted(modelCalls, "model call")}, {counted(tokens, "token")}
              </p>
            )}
            {replies.map((reply, at) => (
              <div key={at}>
                <h4>The model said</h4>
                <p className="text long">{reply}</p>
              </div>
            ))}
            {checkpoint !== "" && <GoBack run={run} checkpoint={checkpoint} stage={stage} />}
          </div>
        )}
      </details>
    </li>
  );
}
