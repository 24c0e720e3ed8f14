import { Away, Refusal } from "./api.js";
import { byId, element, tell } from "./dom.js";

/** The page's user. */
export interface Caller {
  /** Empty without authentication. */
  id: string;
  owner: string;
  scopes: string[];
}

/** What a view is given. */
export interface Place {
  main: HTMLElement;
  caller: Caller;
  /** The parts of the address after the view's name. */
  rest: string[];
  /** Aborted once another view is shown. */
  signal: AbortSignal;
}

export function may({ scopes }: Caller, scope: string): boolean {
  return scopes.includes("admin") || scopes.includes(scope);
}

/** Shows a title, and below it a place for content that says "Loading" until it is filled. */
export function frame(main: HTMLElement, title: string): HTMLElement {
  const body = element("div", {}, element("p", { class: "muted" }, "Loading …"));
  main.replaceChildren(element("h1", {}, title), body);
  document.title = `${title} · tulipgraph`;
  return body;
}

/** Shows an error in place of the content, with a button to try again. */
export function failed(body: HTMLElement, error: unknown, again: () => void): void {
  body.replaceChildren(
    element("p", { class: "bad", role: "alert" }, messageOf(error)),
    element("button", { type: "button", class: "quiet", click: again }, "Try again"),
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Does what a button is for, and says how it went. Meanwhile the button is disabled. */
export async function act(button: HTMLButtonElement, work: () => Promise<string>): Promise<void> {
  button.disabled = true;
  try {
    tell(await work());
  } catch (error) {
    tell(messageOf(error), true);
  } finally {
    button.disabled = false;
  }
}

/** Says that the server is away, or that it is back. The content stays meanwhile. */
export function tellAway(away: Away | undefined): void {
  const before = byId("away").textContent;
  const now = away ? `${away.message} This page goes on by itself when it is back.` : "";
  if (now === before) return;
  byId("away").textContent = now;
  if (!away) tell("The server is back.");
}

/**
 * Repeats something as long as a view is shown, even if the server was away meanwhile. Ends when the key is no longer
 * valid.
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
