import "./approve.css";
import { useState } from "react";
import type { ShownInterrupt, WatchedRun } from "../routes/watchedRun.js";
import { Button, Form } from "../parts/Frame.js";
import { Code } from "../parts/Code.js";
import { Value } from "../parts/Value.js";
import { messageOf, useMay, tell } from "../parts/api.js";
import { counted } from "../parts/words.js";
import { ActionForm } from "./ActionForm.js";
import { Connect } from "./Connect.js";
import {
  type Draft,
  type Request,
  decide,
  freshDraft,
  isAnswered,
  isEdited,
  requestOf,
} from "./decide.js";

/** What a run waits for, to be decided at once. Nothing is drawn for a run that does not wait. */
export function Requests({ run, decided }: { run: WatchedRun; decided: () => void }) {
  if (!run.waits) return null;
  // A new question begins with a fresh form.
  const key = run.interrupts.map(({ id }) => id).join(" ");
  return <OpenRequests key={key} run={run} decided={decided} />;
}

function OpenRequests({ run, decided }: { run: WatchedRun; decided: () => void }) {
  const mayApprove = useMay("approve");
  const requests = run.interrupts.flatMap((interrupt) => requestOf(interrupt) ?? []);
  const others = run.interrupts.filter((interrupt) => !requestOf(interrupt));
  const [drafts, setDrafts] = useState(() =>
    requests.map(({ actions }) => actions.map(freshDraft)),
  );
  const [sent, setSent] = useState<"open" | "sending" | "sent">("open");
  const send = async (given: readonly Draft[][]) => {
    if (sent !== "open") return;
    setSent("sending");
    try {
      const answers = requests.map((request, at) => ({ request, drafts: given[at] ?? [] }));
      await decide(run, answers);
      setSent("sent");
      tell("Sent. The run continues.");
    } catch (error) {
      setSent("open");
      tell(messageOf(error), true);
    }
    decided();
  };
  const change = (at: number, index: number, draft: Draft) =>
    setDrafts((before) => replaced(before, at, replaced(before[at] ?? [], index, draft)));
  if (sent === "sent") return <p className="notice good">Sent. The run continues.</p>;
  return (
    <Form
      className="requests"
      aria-label="Waiting for you"
      isCareful
      send={() => void send(drafts)}
    >
      {requests.map((request, at) =>
        request.kind === "connect" ? (
          <Connect key={request.id} request={request} decided={decided} />
        ) : (
          <RequestForm
            key={request.id}
            request={request}
            drafts={drafts[at] ?? []}
            change={(index, draft) => change(at, index, draft)}
          />
        ),
      )}
      {others.map((interrupt) => (
        <Unknown key={interrupt.id} interrupt={interrupt} />
      ))}
      {!mayApprove && (
        <p className="muted">
          This key can view requests, but approving them needs the approve scope.
        </p>
      )}
      {mayApprove && requests.some(({ kind }) => kind !== "connect") && (
        <Buttons
          requests={requests}
          drafts={drafts}
          isSending={sent === "sending"}
          rejectAll={() =>
            void send(drafts.map((each) => each.map((draft) => ({ ...draft, isRejected: true }))))
          }
        />
      )}
    </Form>
  );
}

function replaced<Item>(list: readonly Item[], at: number, item: Item): Item[] {
  return list.map((each, index) => (index === at ? item : each));
}

function RequestForm(props: {
  request: Request;
  drafts: readonly Draft[];
  change: (index: number, draft: Draft) => void;
}) {
  const { request, drafts, change } = props;
  const { actions, problem, bill, complete, before, tests = [], breaks = [], notes = [] } = request;
  return (
    <>
      <h3>{titleOf(request)}</h3>
      {notes.map((note) => (
        <p key={note} className="notice">
          {note}
        </p>
      ))}
      {problem && <p className="notice bad">The last answer could not be used: {problem}</p>}
      <ol className="cards">
        {actions.map((action, index) => (
          <ActionForm
            key={index}
            action={action}
            kind={request.kind}
            title={actions.length > 1 ? `${index + 1} of ${actions.length}` : ""}
            draft={drafts[index] ?? freshDraft(action)}
            change={(draft) => change(index, draft)}
          />
        ))}
      </ol>
      {complete === false && (
        <p className="muted">More may follow; you will be asked about those too.</p>
      )}
      {bill && <p className="muted small">Total: {bill}.</p>}
      {before && <Code isFolded code={before} label="Current code" />}
      {tests.length > 0 && <Code isFolded code={tests.join("\n")} label="Tests" />}
      {breaks.map((text) => (
        <p key={text} className="bad small">
          Behaves differently: {text}
        </p>
      ))}
    </>
  );
}

function titleOf({ kind, actions, complete }: Request): string {
  if (isAnswered(kind)) return "A question for you";
  if (kind === "edit") return "A change to the library is waiting for approval";
  const what = kind === "writes" ? "write" : "call";
  const isAll = complete === true ? " (no more will follow)" : "";
  return `Waiting for approval: ${counted(actions.length, what)}${isAll}`;
}

/** One button sends everything, and says what it will do. */
function Buttons(props: {
  requests: readonly Request[];
  drafts: readonly (readonly Draft[])[];
  isSending: boolean;
  rejectAll: () => void;
}) {
  const { requests, drafts, isSending, rejectAll } = props;
  const all = requests.flatMap(({ actions }, at) =>
    actions.map((action, index) => ({ action, draft: drafts[at]?.[index] ?? freshDraft(action) })),
  );
  const kept = all.filter(({ draft }) => !draft.isRejected);
  const refused = all.length - kept.length;
  const edited = kept.filter(({ action, draft }) => isEdited(action, draft)).length;
  const approved = kept.length - edited;
  const isQuestion = requests.every(({ kind }) => isAnswered(kind));
  const many = all.length > 1 ? ` all ${all.length}` : "";
  const parts = Object.entries({ approve: approved, change: edited, reject: refused });
  const mixed = parts.flatMap(([verb, count]) => (count > 0 ? `${verb} ${count}` : [])).join(", ");
  const words = isQuestion
    ? kept.length > 0
      ? "Answer"
      : "Decline"
    : approved === all.length
      ? `Approve${many}`
      : mixed.slice(0, 1).toUpperCase() + mixed.slice(1);
  return (
    <div className="buttons">
      <Button type="submit" kind="main" disabled={isSending}>
        {words}
      </Button>
      {refused === 0 && !isQuestion && all.length > 1 && (
        <Button disabled={isSending} onClick={rejectAll}>
          Reject all
        </Button>
      )}
      <span className="hint">Ctrl+Enter to send</span>
    </div>
  );
}

/** An interrupt of a graph of another kind: its client has to answer it. */
function Unknown({ interrupt }: { interrupt: ShownInterrupt }) {
  return (
    <>
      <h3>This page has no form for this request</h3>
      <Value value={interrupt.value} />
      <p className="muted">Answer it through the API; its value describes what is expected.</p>
    </>
  );
}
