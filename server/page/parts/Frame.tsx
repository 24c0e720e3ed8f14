import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { Button } from "./Button.js";
import type { Live } from "./useLive.js";

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
