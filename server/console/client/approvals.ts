import type { WaitingRun } from "../runRoutes.js";
import { get, post } from "./api.js";
import { type Decided, drawRequest } from "./drawRequest.js";
import { byId, element, tell, timeText } from "./dom.js";
import { type Place, type Caller, act, failed, frame, may, messageOf, repeat } from "./view.js";

const EVERY_MS = 4000;

/** A thread that waits, as the API returns it. */
interface WaitingThread {
  thread_id: string;
  updated_at: string;
  metadata: { assistant_id?: string; graph_id?: string };
  values: { run?: { request?: unknown } } | null;
  interrupts: Record<string, { id: string; value: unknown }[]>;
}

interface LastRun {
  assistant_id: string;
  kwargs: { context?: object; config?: object };
}

/** All that waits for a person. */
interface Waiting {
  threads: WaitingThread[];
  runs: WaitingRun[];
}

export async function whatWaits(): Promise<Waiting> {
  const [threads, runs] = await Promise.all([
    post<WaitingThread[]>("/threads/search", {
      status: "interrupted",
      limit: 50,
      sort_by: "updated_at",
    }),
    get<WaitingRun[]>("/console/waiting"),
  ]);
  return { threads, runs };
}

/** Shows how much waits, next to the view's name in the navigation. */
export function showCount({ threads, runs }: Waiting): void {
  const count = byId("waiting");
  const number = threads.length + runs.length;
  count.hidden = number === 0;
  count.textContent = String(number);
}

/** What waits for a person, item by item. */
export async function showApprovals({ main, caller, signal }: Place): Promise<void> {
  const body = frame(main, "Waiting for approval");
  const cards = element("ul", { class: "cards" });
  /** By what they wait for, so that redrawing leaves alone what a person is typing into. */
  const shown = new Map<string, HTMLElement>();
  const draw = async () => {
    const waiting = await whatWaits();
    if (signal.aborted) return;
    showCount(waiting);
    const wanted = new Map([
      ...waiting.threads.map(
        (thread) => [keyOf(thread), () => drawCard(thread, caller, redraw)] as const,
      ),
      ...waiting.runs.map((run) => [run.runId, () => drawWaiting(run, redraw)] as const),
    ]);
    for (const [key, card] of shown) {
      if (wanted.has(key)) continue;
      card.remove();
      shown.delete(key);
    }
    const fresh = [...wanted].filter(([key]) => !shown.has(key));
    for (const [key, drawIt] of fresh) {
      const card = drawIt();
      shown.set(key, card);
      cards.append(card);
    }
    if (wanted.size === 0)
      body.replaceChildren(
        element("p", { class: "muted" }, "Nothing waits for a decision. New requests appear here."),
      );
    else if (!cards.isConnected) body.replaceChildren(cards);
    else if (fresh.length > 0) tell(`${fresh.length} more to decide on`);
  };
  const redraw = () => void draw().catch(problem);
  const problem = (error: unknown) => {
    if (shown.size === 0) failed(body, error, redraw);
    else tell(messageOf(error), true);
  };
  await repeat({ signal, everyMs: EVERY_MS, work: draw, failed: problem });
}

function keyOf({ thread_id, interrupts }: WaitingThread): string {
  return JSON.stringify([thread_id, interrupts]);
}

function drawCard(thread: WaitingThread, caller: Caller, decided: () => void): HTMLElement {
  const { metadata, values, updated_at, thread_id } = thread;
  const waiting = Object.values(thread.interrupts).flat();
  const requests = waiting.map(({ value }) => drawRequest(value));
  const asked = values?.run?.request;
  const request = typeof asked === "string" ? asked : "A run waits";
  const send = element("button", { type: "submit" }, "Send the decisions");
  const form = element(
    "form",
    { novalidate: true },
    ...requests.map(({ content }) => content),
    may(caller, "approve")
      ? element("div", { class: "buttons" }, send)
      : element("p", { class: "muted" }, "This key may look but not decide (scope approve)."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(send, async () => {
      const answers = requests.map(({ decided }) => decided());
      const problem = answers.find((answer) => "problem" in answer);
      if (problem && "problem" in problem) throw unready(problem);
      await resume(thread, waiting, answers);
      form.replaceChildren(element("p", { class: "good" }, "Decided; the run goes on."));
      decided();
      return "The run goes on.";
    });
  });
  return element(
    "li",
    { class: "card" },
    element("h2", {}, request),
    element(
      "p",
      { class: "muted small" },
      `${metadata.graph_id ?? ""} · waits since ${timeText(updated_at)} · thread ${thread_id.slice(0, 8)}`,
    ),
    form,
  );
}

/** A run that waits for a budget: why, until when, and how to let it begin at once. */
function drawWaiting(run: WaitingRun, decided: () => void): HTMLElement {
  const { runId, request, graph, createdAt, until, caller, mayRelease } = run;
  const button = element("button", { type: "button" }, "Let it begin now");
  const buttons = element("div", { class: "buttons" }, button);
  button.addEventListener("click", () => {
    void act(button, async () => {
      await post(`/runs/${runId}/release`, {});
      buttons.replaceChildren(element("p", { class: "good" }, "Released; the run begins."));
      decided();
      return "The run begins.";
    });
  });
  return element(
    "li",
    { class: "card" },
    element("h2", {}, request || "A run waits"),
    element("p", { class: "muted small" }, `${graph} · waits since ${timeText(createdAt)}`),
    element(
      "p",
      {},
      `The day's budget of ${caller || "callers without a key"} is used up. The run begins by itself at ${timeText(until)}, with the next day's budget.`,
    ),
    mayRelease
      ? buttons
      : element(
          "p",
          { class: "muted" },
          "Another key of the same owner with the scope approve can let it begin at once, or one with admin.",
        ),
  );
}

function unready({ problem, at }: { problem: string; at?: HTMLElement }): Error {
  at?.focus();
  return new Error(problem);
}

/** Goes on with the settings that the run was begun with: threads do not keep them. */
async function resume(
  thread: WaitingThread,
  waiting: { id: string }[],
  answers: Decided[],
): Promise<void> {
  const path = `/threads/${thread.thread_id}/runs`;
  const [last] = await get<LastRun[]>(`${path}?limit=1`);
  const given = answers.map((answer) => ("resume" in answer ? answer.resume : undefined));
  const byQuestion = Object.fromEntries(waiting.map(({ id }, at) => [id, given[at]]));
  await post(path, {
    assistant_id: last?.assistant_id ?? thread.metadata.assistant_id,
    context: last?.kwargs.context,
    command: { resume: waiting.length === 1 ? given[0] : byQuestion },
    stream_mode: ["updates"],
  });
}
