/*
 * Approve: the queue of what waits for a person, across all threads, the oldest first.
 *
 * ApprovalsView  the queue
 * Requests       what one run waits for, wherever the run is shown
 * ActionForm     one action as a form
 * SchemaForm     the fields of a JSON schema
 * decide         what a person has decided, and how it is sent
 */
import type { ShownRun } from "../routes/watchedRun.js";
import { Frame, Loaded } from "../parts/Frame.js";
import { get } from "../parts/api.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";
import { timeText } from "../parts/words.js";
import { ProgramText } from "../program/ProgramText.js";
import { useWatchedTurn } from "../runs/useWatchedTurn.js";
import { Requests } from "./Requests.js";
import { type WaitingThread, useWaiting } from "./waiting.js";

export function ApprovalsView() {
  const waiting = useWaiting();
  return (
    <Frame title="Approvals" lead="Everything that is waiting for a decision, oldest first.">
      <Loaded of={waiting}>
        {(threads) => (
          <>
            {threads.length === 0 && (
              <p className="empty">Nothing is waiting for a decision. New requests appear here.</p>
            )}
            <ul className="cards">
              {threads.map((thread) => (
                <WaitingCard key={thread.thread_id} thread={thread} decided={waiting.reload} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function WaitingCard({ thread, decided }: { thread: WaitingThread; decided: () => void }) {
  const { thread_id, values, updated_at, metadata } = thread;
  const asked = values?.run?.request;
  const runs = useLive(`last run of ${thread_id} ${updated_at}`, () =>
    get<ShownRun[]>(`/console/runs?limit=1&thread=${thread_id}`),
  );
  const caller = runs.value?.[0]?.caller;
  return (
    <li className="card box">
      <h2>{typeof asked === "string" && asked !== "" ? asked : "A run is waiting"}</h2>
      <p className="muted small">
        {metadata.graph_id} · {caller && `asked by ${caller} · `}
        waiting since {timeText(updated_at)} ·{" "}
        <a href={linkTo("ask", thread_id)}>open the conversation</a>
      </p>
      <Loaded of={runs}>
        {([last]) => (last ? <WaitingRequest run={last} decided={decided} /> : null)}
      </Loaded>
    </li>
  );
}

function WaitingRequest({ run, decided }: { run: ShownRun; decided: () => void }) {
  const watched = useWatchedTurn([run]);
  return (
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
  );
}
