import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useState,
  type ComponentProps,
  useId,
} from "react";
import type { Live } from "./useLive.js";
import type { ShownRun } from "../routes/watchedRun.js";

/** A view with its title, which is also the window's. */
export function Frame(props: { title: string; lead?: ReactNode; children: ReactNode }) {
  const { title, lead, children } = props;
  useTitle(title);
  return (
    <div className="view">
      <header>
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · tulipgraph`;
  }, [title]);
}

/** What is loaded, or that it is, or why it cannot be. */
export function Loaded<Value>(props: { of: Live<Value>; children: (value: Value) => ReactNode }) {
  const { value, problem, reload } = props.of;
  return (
    <>
      {problem !== undefined && (
        <p className="notice bad" role="alert">
          {problem}{" "}
          <Button kind="link" onClick={reload}>
            Try again
          </Button>
        </p>
      )}
      {value !== undefined && props.children(value)}
      {value === undefined && problem === undefined && <p className="muted">Loading…</p>}
    </>
  );
}

/** A field with its label. */
export function Field(props: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span className="label">{props.label}</span>
      {props.children}
      {props.hint && <span className="hint">{props.hint}</span>}
    </label>
  );
}

/** What is drawn only when its summary is opened. Escape closes it. */
export function Fold(props: { summary: ReactNode; isOpen?: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  const leave = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    setOpen(false);
    event.currentTarget.querySelector("summary")?.focus();
  };
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={leave}
    >
      <summary>{props.summary}</summary>
      {isOpen && props.children}
    </details>
  );
}

/** Terms with what is known of them. */
export function Facts(props: { of: [term: string, value: ReactNode][]; isWide?: boolean }) {
  const known = props.of.filter(([, value]) => value !== undefined && value !== null);
  return (
    <dl className={props.isWide ? "fields" : "facts"}>
      {known.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A button that sends no form, unless it says so; it may be the main one of its place, or look like a link. */
export function Button({ kind, ...rest }: ComponentProps<"button"> & { kind?: "main" | "link" }) {
  return <button type="button" className={kind} {...rest} />;
}

/** A form that a script sends. From the fields of a careful one, Ctrl+Enter sends it, and Enter alone does not. */
export function Form({
  send,
  isCareful = false,
  ...rest
}: ComponentProps<"form"> & { send: () => unknown; isCareful?: boolean }) {
  const enter = (event: KeyboardEvent<HTMLFormElement>) => {
    const { key, target, ctrlKey, metaKey } = event;
    if (key !== "Enter") return;
    const isMeant = isCareful && (ctrlKey || metaKey);
    const isBox = target instanceof HTMLInputElement && target.type === "checkbox";
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isMeant || isBox || (isCareful && isField)) event.preventDefault();
    if (isMeant) send();
    else if (isBox) target.click();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={enter}
      {...rest}
    />
  );
}

/** One of several, which may be named otherwise than they are called; an open choice takes any text. */
export function Choice(props: {
  label: string;
  value: string;
  options: readonly (string | [value: string, words: string])[];
  isOpen?: boolean;
  choose: (value: string) => void;
}) {
  const { label, value, isOpen, choose } = props;
  const list = useId();
  const all = props.options.map((option) => [option].flat());
  const isKnown = isOpen || all.some(([name]) => name === value);
  const options = (isKnown ? all : [[value], ...all]).map(([name, words = name]) => (
    <option key={name} value={name}>
      {words}
    </option>
  ));
  const how = {
    value,
    onChange: ({ target }: { target: { value: string } }) => choose(target.value),
  };
  return (
    <label className="choice">
      <span>{label}</span>
      {isOpen ? <input type="text" spellCheck={false} list={list} {...how} /> : null}
      {isOpen ? <datalist id={list}>{options}</datalist> : <select {...how}>{options}</select>}
    </label>
  );
}

/** Rows of a page of a list in memory. However long it is, the browser never draws more at once. */
const PAGE = 100;

/** Leads through a list that is shown a page at a time. */
export function Pages(props: {
  total: number;
  size: number;
  offset: number;
  show: (offset: number) => void;
}) {
  const { total, size, offset, show } = props;
  if (total <= size) return null;
  const last = Math.min(total, offset + size);
  return (
    <div className="buttons">
      <Button disabled={offset === 0} onClick={() => show(Math.max(0, offset - size))}>
        Previous
      </Button>
      <span className="muted">
        {offset + 1} to {last} of {total.toLocaleString("en")}
      </span>
      <Button disabled={last === total} onClick={() => show(offset + size)}>
        Next
      </Button>
    </div>
  );
}

/** The first rows of a list in memory; then, if somebody wants all, a page at a time. */
export function Rows<Row>(props: {
  of: readonly Row[];
  first: number;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const { of: all, first, children } = props;
  const [offset, show] = useState<number>();
  const isPaged = offset !== undefined;
  return (
    <>
      {children(isPaged ? all.slice(offset, offset + PAGE) : all.slice(0, first))}
      {isPaged && <Pages total={all.length} size={PAGE} offset={offset} show={show} />}
      {!isPaged && all.length > first && (
        <Button kind="link" onClick={() => show(0)}>
          Show all {all.length.toLocaleString("en")}
        </Button>
      )}
    </>
  );
}

type Words = Record<string, [words: string, kind: string]>;

const OUTCOMES: Words = {
  solved: ["Solved", "good"],
  answered: ["Answered", "good"],
  planned: ["Planned", "good"],
  unsolved: ["Unsolved", "bad"],
  limit: ["Stopped at a limit", "bad"],
  budget: ["Over budget", "bad"],
  error: ["Failed", "bad"],
};

const STATES: Words = {
  pending: ["Queued", ""],
  running: ["Running", "live"],
  success: ["Finished", ""],
  error: ["Failed", "bad"],
  timeout: ["Timed out", "bad"],
  interrupted: ["Stopped", ""],
};

/** How a run stands: its outcome, and only without one the state of its process. */
export function badgeOf(run: Pick<ShownRun, "status" | "waits" | "outcome">) {
  const { status, waits, outcome } = run;
  if (waits) return { words: "Waiting for you", kind: "wait" };
  const isEnded = status === "success" ? OUTCOMES[outcome] : undefined;
  const [words, kind] = isEnded ?? STATES[status] ?? [status, ""];
  return { words, kind };
}

export function RunBadge({ run }: { run: Pick<ShownRun, "status" | "waits" | "outcome"> }) {
  const { words, kind } = badgeOf(run);
  return <span className={`badge ${kind}`}>{words}</span>;
}

/** Whether a run is still at work. */
export function isOpen({ status }: Pick<ShownRun, "status">): boolean {
  return status === "pending" || status === "running";
}
