/* Approve: the queue of what waits for a person, across all threads, the oldest first. */
import type { ShownRun } from "../routes/watchedRun.js";
import { Frame, Loaded } from "../parts/Frame.js";
import { get, useMay } from "../parts/api.js";
import { linkTo, timeText } from "../parts/words.js";
import { useLive, useWatchedRun, type Live } from "../parts/useLive.js";
import { ProgramText } from "../program/ProgramText.js";
import { Requests } from "./Requests.js";

export function ApprovalsView() {
  const waiting = useWaiting();
  return (
    <Frame title="Approvals" lead="Everything that is waiting for a decision, oldest first.">
      <Loaded of={waiting}>
        {(runs) => (
          <>
            {runs.length === 0 && (
              <p className="empty">Nothing is waiting for a decision. New requests appear here.</p>
            )}
            <ul className="cards">
              {runs.toReversed().map((run) => (
                <WaitingCard key={run.runId} run={run} decided={waiting.reload} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function WaitingCard({ run, decided }: { run: ShownRun; decided: () => void }) {
  const { runId, request, graph, caller, updatedAt, threadId } = run;
  const watched = useWatchedRun(runId, updatedAt);
  return (
    <li className="card box">
      <h2>{request || "A run is waiting"}</h2>
      <p className="muted small">
        {graph} · {caller && `asked by ${caller} · `}
        waiting since {timeText(updatedAt)} ·{" "}
        <a href={linkTo("ask", threadId)}>open the conversation</a>
      </p>
      <Loaded of={watched}>
        {(shown) => (
          <>
            <Requests run={shown} decided={decided} />
            {shown.program && (
              <details>
                <summary>The program</summary>
                <ProgramText run={shown} program={shown.program} />
              </details>
            )}
          </>
        )}
      </Loaded>
    </li>
  );
}

const EVERY_MS = 4000;

/** The requests that wait for a person, the latest first; none for a key that may not read. */
export function useWaiting(): Live<ShownRun[]> {
  const mayRead = useMay("read");
  const load = async () =>
    mayRead ? await get<ShownRun[]>("/console/runs?limit=100&end=waiting") : [];
  return useLive(`waiting ${mayRead}`, load, EVERY_MS);
}
