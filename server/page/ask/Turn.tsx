import { useEffect, useState } from "react";
import type { WatchedRun, ShownRun } from "../routes/watchedRun.js";
import { Requests } from "../approve/Requests.js";
import { Button, Form, RunBadge, isOpen, Fold, Loaded } from "../parts/Frame.js";
import { HERE, act, post, useMay } from "../parts/api.js";
import { linkTo, counted, durationText, tokensText } from "../parts/words.js";
import { shareText } from "../../../state/budgetSetting.js";
import { Solution } from "../program/Solution.js";
import { useWatchedRun } from "../parts/useLive.js";
import { Visits } from "../watch/Visits.js";

/** A request with what was done for it. */
export function Turn(props: {
  turn: ShownRun;
  isLast: boolean;
  /** Grows as events of its run come in. */
  tick: number;
  again: (request: string, checkpoint?: string) => void;
  changed: () => void;
}) {
  const { turn, isLast, tick, again, changed } = props;
  const watched = useWatchedRun(turn.requestId, turn.runId + turn.status);
  const { reload } = watched;
  useEffect(() => {
    if (tick > 0) reload();
  }, [tick, reload]);
  return (
    <li className="turn">
      <Asked request={turn.request} />
      <div className="reply">
        <Loaded of={watched}>
          {(run) => (
            <>
              <Stages run={run} />
              <Requests run={run} decided={changed} />
              <Solution run={run} isOpen={isLast} />
              {run.error && <p className="notice bad">{run.error}</p>}
              {!isOpen(run) && (
                <Foot run={run} again={again} undone={isLast ? changed : undefined} />
              )}
            </>
          )}
        </Loaded>
      </div>
    </li>
  );
}

/** A request that the server has not yet taken. */
export function WaitingTurn({ request }: { request: string }) {
  return (
    <li className="turn">
      <Asked request={request} />
      <p className="muted">
        <span className="pulse" aria-hidden="true" /> Sending…
      </p>
    </li>
  );
}

function Asked({ request }: { request: string }) {
  return (
    <h2 className="asked">
      <span className="unseen">You asked: </span>
      {request || "A run without a request"}
    </h2>
  );
}

/** What the run has done so far, stage by stage; folded once it has ended. */
function Stages({ run }: { run: WatchedRun }) {
  const isAtWork = isOpen(run);
  const last = run.visits.at(-1);
  const spent = run.usage ? ` in ${durationText(run.usage.ms)}` : "";
  const now = isAtWork
    ? (last?.stage ?? "Queued")
    : `${counted(run.visits.length, "stage")}${spent}`;
  return (
    <details className="stages">
      <summary className="small muted">
        {isAtWork && <span className="pulse" aria-hidden="true" />}
        <span aria-live="polite">{now}</span>
        {isAtWork && <span className="muted"> {run.work[0] ?? last?.lines[0]?.slice(0, 90)}</span>}
      </summary>
      <Visits run={run} visits={run.visits} />
    </details>
  );
}

function Foot(props: {
  run: WatchedRun;
  again: (request: string, checkpoint?: string) => void;
  /** Absent where later runs have changed things since. */
  undone?: () => void;
}) {
  const { run, again, undone } = props;
  const mayRun = useMay("run");
  const hasWritten = run.calls.some(({ writes, error }) => writes && error === undefined);
  const undo = async () => {
    await post(`/threads/${run.threadId}/undo`, {});
    undone?.();
    return "You are asked before anything is taken back.";
  };
  const { usage, ledger, visits, request, runId, threadId } = run;
  const share = async () => {
    await navigator.clipboard.writeText(`${HERE}/${linkTo("ask", threadId)}`);
    return "Link copied. Anyone who can read this thread can open it.";
  };
  return (
    <div className="foot">
      <RunBadge run={run} />
      {usage && (
        <span className="muted">
          {counted(usage.modelCalls, "model call")} · {tokensText(usage)}
          {ledger && ` · ${shareText({ ...ledger, part: ledger.spent })} spent`}
        </span>
      )}
      <a href={linkTo("runs", runId)}>Run details</a>
      <Button kind="link" onClick={() => again(request)}>
        Ask again
      </Button>
      <Button kind="link" onClick={() => void act(share)}>
        Copy link
      </Button>
      {undone && hasWritten && mayRun && (
        <Button kind="link" onClick={() => void act(undo)}>
          Undo
        </Button>
      )}
      <Fold key={visits[0]?.checkpoint} summary="Edit request">
        <Changed
          request={request}
          ask={(changed) => again(changed, visits[0]?.checkpoint || undefined)}
        />
      </Fold>
    </div>
  );
}

function Changed({ request, ask }: { request: string; ask: (request: string) => void }) {
  const [changed, setChanged] = useState(request);
  return (
    <Form send={() => ask(changed)}>
      <textarea
        aria-label="Edited request"
        rows={2}
        autoFocus
        value={changed}
        onChange={({ target }) => setChanged(target.value)}
      />
      <Button type="submit" kind="main">
        Ask from here
      </Button>
    </Form>
  );
}
