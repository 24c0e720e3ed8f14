import "./watch.css";
import type { Exchange, ShownVisit, WatchedRun } from "../routes/watchedRun.js";
import { Fold, Loaded } from "../parts/Frame.js";
import { Rows } from "../parts/Pages.js";
import { Value } from "../parts/Value.js";
import { get } from "../parts/api.js";
import { useLive } from "../parts/useLive.js";
import { counted, durationText } from "../parts/words.js";
import { GoBack } from "./GoBack.js";

/** Visits that are shown before one asks for more. */
const FIRST = 40;

/** What each visit of a stage did, took, was told and replied. */
export function Visits({ run, visits }: { run: WatchedRun; visits: readonly ShownVisit[] }) {
  return (
    <Rows of={visits} first={FIRST}>
      {(some) => (
        <ol className="visits" aria-label="Visits">
          {some.map((visit) => (
            <Visit key={`${visit.checkpoint} ${visit.id}`} run={run} visit={visit} />
          ))}
        </ol>
      )}
    </Rows>
  );
}

function Visit({ run, visit }: { run: WatchedRun; visit: ShownVisit }) {
  const { stage, ms, lines, modelCalls, tokens, checkpoint } = visit;
  const asked = modelCalls > 0 ? `${counted(tokens, "token")} · ` : "";
  const summary = (
    <>
      <span className="stage">{stage}</span>
      <span className="line">{lines[0]}</span>
      <span className="muted">
        {asked}
        {ms === null ? (run.waits ? "waiting for you" : "running") : durationText(ms)}
      </span>
    </>
  );
  return (
    <li aria-current={ms === null ? "step" : undefined}>
      <Fold summary={summary}>
        <div className="visit">
          {lines.length > 1 && <p className="text long">{lines.join("\n")}</p>}
          <Exchanges visit={visit} />
          {checkpoint !== "" && <GoBack run={run} checkpoint={checkpoint} />}
        </div>
      </Fold>
    </li>
  );
}

/** What the model was told in a visit, and what it replied. */
function Exchanges({ visit: { runId, id } }: { visit: ShownVisit }) {
  const kept = useLive(`exchanges ${id}`, () =>
    get<Exchange[]>(`/console/runs/${runId}/exchanges/${encodeURIComponent(id)}`),
  );
  return (
    <Loaded of={kept}>
      {(exchanges) =>
        exchanges.map(({ model, prompt, reply, error }, at) => (
          <section key={at} aria-label="Exchange with the model">
            <p className="muted small">{model}</p>
            {[...prompt, ...reply].map(({ role, parts }, row) => (
              <details key={row} open={role === "assistant"}>
                <summary>{HEADINGS[role] ?? role}</summary>
                {parts.map(({ content, name, arguments: args }, part) =>
                  name === undefined ? (
                    <p key={part} className="text long">
                      {String(content)}
                    </p>
                  ) : (
                    <Value key={part} value={{ calls: name, with: args }} />
                  ),
                )}
              </details>
            ))}
            {error && <p className="bad">{error}</p>}
          </section>
        ))
      }
    </Loaded>
  );
}

const HEADINGS: Record<string, string> = {
  system: "Instructions",
  user: "Question",
  assistant: "Reply",
  tool: "Tool result",
};
