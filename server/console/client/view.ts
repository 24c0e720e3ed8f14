import { Away, Refusal } from "./api.js";
import { byId, element, tell } from "./dom.js";

/** Who uses the page. */
export interface Session {
  /** Empty where the server asks nobody who they are. */
  id: string;
  owner: string;
  scopes: string[];
}

/** What a view is given. */
export interface Place {
  main: HTMLElement;
  session: Session;
  /** What stands after the view's name in the address. */
  rest: string[];
  /** Aborted once another view is shown. */
  signal: AbortSignal;
}

export function may({ scopes }: Session, scope: string): boolean {
  return scopes.includes("admin") || scopes.includes(scope);
}

/** A title and a place below it that says that it loads, until something is there. */
export function frame(main: HTMLElement, title: string): HTMLElement {
  const body = element("div", {}, element("p", { class: "muted" }, "Loading …"));
  main.replaceChildren(element("h1", {}, title), body);
  document.title = `${title} · tulipgraph`;
  return body;
}

/** Shows why something is not there, with a way to try again. */
export function failed(body: HTMLElement, error: unknown, again: () => void): void {
  const text = error instanceof Error ? error.message : String(error);
  body.replaceChildren(
    element("p", { class: "bad", role: "alert" }, text),
    element("button", { type: "button", class: "quiet", click: again }, "Try again"),
  );
}

/** Does what a person has asked for, and says what came of it; meanwhile the button rests. */
export async function act(button: HTMLButtonElement, work: () => Promise<string>): Promise<void> {
  button.disabled = true;
  try {
    tell(await work());
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true);
  } finally {
    button.disabled = false;
  }
}

/** Says that the server is away, or that it is back; what is shown stays meanwhile. */
export function tellAway(away: Away | undefined): void {
  const before = byId("away").textContent;
  const now = away ? `${away.message} This page goes on by itself when it is back.` : "";
  if (now === before) return;
  byId("away").textContent = now;
  if (!away) tell("The server is back.");
}

/**
 * Does something at once and again while a view is shown, also when the server has been away; a key that is no longer
 * good ends it.
 */
export async function repeat(options: {
  signal: AbortSignal;
  everyMs: number;
  work: () => Promise<void>;
  failed: (error: unknown) => void;
}): Promise<void> {
  const { signal, everyMs, work } = options;
  while (!signal.aborted) {
    try {
      await work();
      tellAway(undefined);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Away) tellAway(error);
      else options.failed(error);
      if (error instanceof Refusal && [401, 403].includes(error.status)) return;
    }
    await new Promise((done) => setTimeout(done, everyMs));
  }
}
