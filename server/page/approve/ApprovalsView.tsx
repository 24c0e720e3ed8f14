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
import { get, post, useMay } from "../parts/api.js";
import { linkTo, timeText } from "../parts/words.js";
import { useLive, useWatchedRun, type Live } from "../parts/useLive.js";
import { ProgramText } from "../program/ProgramText.js";
import { Requests } from "./Requests.js";

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
  const watched = useWatchedRun(run.runId, run.status);
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

const EVERY_MS = 4000;

/** A thread that waits, as the API returns it. */
interface WaitingThread {
  thread_id: string;
  updated_at: string;
  metadata: { graph_id?: string };
  values: { run?: { request?: unknown } } | null;
}

/** The threads that wait for a person, the oldest first; none for a key that may not read. */
export function useWaiting(): Live<WaitingThread[]> {
  const mayRead = useMay("read");
  return useLive(`waiting ${mayRead}`, () => whatWaits(mayRead), EVERY_MS);
}

async function whatWaits(mayRead: boolean): Promise<WaitingThread[]> {
  if (!mayRead) return [];
  return await post("/threads/search", {
    status: "interrupted",
    limit: 50,
    sort_by: "updated_at",
    sort_order: "asc",
  });
}
