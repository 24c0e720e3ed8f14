import { get, post } from "./api.js";
import { type Decided, drawRequest } from "./drawRequest.js";
import { byId, element, tell, timeText } from "./dom.js";
import { type Place, type Session, act, failed, frame, may, repeat } from "./view.js";

const EVERY_MS = 4000;

/** A thread that waits, as the API gives it. */
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

export async function waitingThreads(): Promise<WaitingThread[]> {
  return await post<WaitingThread[]>("/threads/search", {
    status: "interrupted",
    limit: 50,
    sort_by: "updated_at",
  });
}

/** How much waits, beside the view's name wherever one is. */
export function showCount(threads: readonly WaitingThread[]): void {
  const count = byId("waiting");
  count.hidden = threads.length === 0;
  count.textContent = String(threads.length);
}

/** What waits for a person, item by item. */
export async function showApprovals({ main, session, signal }: Place): Promise<void> {
  const body = frame(main, "Waiting for approval");
  const cards = element("ul", { class: "cards" });
  /** By what they wait for: what a person is typing into stays as it is. */
  const shown = new Map<string, HTMLElement>();
  const draw = async () => {
    const threads = await waitingThreads();
    if (signal.aborted) return;
    showCount(threads);
    const keys = new Set(threads.map(keyOf));
    for (const [key, card] of shown) {
      if (keys.has(key)) continue;
      card.remove();
      shown.delete(key);
    }
    const fresh = threads.filter((thread) => !shown.has(keyOf(thread)));
    for (const thread of fresh) {
      const card = drawCard({ thread, session, decided: () => void draw() });
      shown.set(keyOf(thread), card);
      cards.append(card);
    }
    if (threads.length === 0)
      body.replaceChildren(
        element("p", { class: "muted" }, "Nothing waits for a decision. What comes appears here."),
      );
    else if (!cards.isConnected) body.replaceChildren(cards);
    else if (fresh.length > 0) tell(`${fresh.length} more to decide on`);
  };
  const problem = (error: unknown) => {
    if (shown.size === 0)
      failed(body, error, () => void showApprovals({ main, session, signal, rest: [] }));
    else tell(error instanceof Error ? error.message : String(error), true);
  };
  await repeat({ signal, everyMs: EVERY_MS, work: draw, failed: problem });
}

function keyOf({ thread_id, interrupts }: WaitingThread): string {
  return JSON.stringify([thread_id, interrupts]);
}

function drawCard(options: {
  thread: WaitingThread;
  session: Session;
  decided: () => void;
}): HTMLElement {
  const { thread, session, decided } = options;
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
    may(session, "approve")
      ? element("div", { class: "buttons" }, send)
      : element("p", { class: "muted" }, "This key may look, and not decide (scope approve)."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(send, async () => {
      const answers = requests.map(({ decided }) => decided());
      const problem = answers.find((answer) => "problem" in answer);
      if (problem && "problem" in problem) throw unready(problem);
      await resume({ thread, waiting, answers });
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

function unready({ problem, at }: { problem: string; at?: HTMLElement }): Error {
  at?.focus();
  return new Error(problem);
}

/** Goes on as the run was begun: settings do not stay with a thread. */
async function resume(options: {
  thread: WaitingThread;
  waiting: { id: string }[];
  answers: Decided[];
}): Promise<void> {
  const { thread, waiting, answers } = options;
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
