import type { ShownRun, WatchedRun } from "../runRoutes.js";
import { Away, Refusal, follow, get } from "./api.js";
import { element, facts, tell, timeText, valueText } from "./dom.js";
import { type Place, failed, frame, repeat, tellAway } from "./view.js";

const LIST_MS = 3000;

/** How often a run is looked at without an event (ms): a run without a stream has none. */
const WATCH_MS = 2000;

const OPEN = ["pending", "running"];

const WORDS: Record<string, string> = {
  pending: "waits for its turn",
  running: "running",
  success: "ended",
  error: "failed",
  timeout: "out of time",
  interrupted: "stopped",
};

/** The latest runs, or one of them. */
export async function showRuns(place: Place): Promise<void> {
  const [runId] = place.rest;
  await (runId === undefined ? showList(place) : showRun(place, runId));
}

type RunsPlace = Pick<Place, "main" | "signal">;
async function showList({ main, signal }: RunsPlace): Promise<void> {
  const body = frame(main, "Runs");
  let before = "";
  const draw = async () => {
    const runs = await get<ShownRun[]>("/console/runs");
    const now = JSON.stringify(runs);
    // An unchanged list is not redrawn, so that it keeps the focus.
    if (signal.aborted || now === before) return;
    before = now;
    const focused = document.activeElement?.getAttribute("href");
    const list = element("ul", { class: "cards" }, ...runs.map(drawLine));
    const none = "There are no runs yet. Start one with the API, the SDK or Studio.";
    body.replaceChildren(runs.length > 0 ? list : element("p", { class: "muted" }, none));
    if (focused) body.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
  };
  const problem = (error: unknown) => {
    before = "";
    failed(body, error, () => void draw().catch(problem));
  };
  await repeat({ signal, everyMs: LIST_MS, work: draw, failed: problem });
}

function drawLine(run: ShownRun): HTMLElement {
  const { runId, request, graph, createdAt } = run;
  return element(
    "li",
    { class: "card" },
    element(
      "div",
      { class: "top" },
      element("a", { href: `#runs/${runId}` }, request || "A run without a request"),
      badge(run),
    ),
    element("p", { class: "muted small" }, `${graph} · ${timeText(createdAt)}`),
    run.error ? element("p", { class: "bad small" }, run.error) : false,
  );
}

/** A run that came to its end is done only if it is known to have solved its request. */
function badge(run: Pick<WatchedRun, "status" | "waits"> & { outcome?: string }): HTMLElement {
  const { status, waits, outcome = "" } = run;
  if (waits) return element("a", { class: "badge", href: "#approvals" }, "waits for a decision");
  if (status === "success" && DONE.includes(outcome))
    return element("span", { class: "badge good" }, "done");
  const kind = ["error", "timeout"].includes(status) ? "bad" : "";
  return element("span", { class: `badge ${kind}` }, WORDS[status] ?? status);
}

const DONE = ["solved", "planned"];

async function showRun({ main, signal }: RunsPlace, runId: string): Promise<void> {
  const body = frame(main, "A run");
  let run: WatchedRun | undefined;
  let isFollowed = false;
  const news = new EventTarget();
  // Until it has been fetched, it may be open.
  const isOpen = () => run === undefined || OPEN.includes(run.status);
  const draw = async () => {
    const status = run?.status;
    const now = await get<WatchedRun>(`/console/runs/${encodeURIComponent(runId)}`);
    if (signal.aborted) return;
    if (JSON.stringify(now) !== JSON.stringify(run)) body.replaceChildren(...drawRun(now));
    run = now;
    if (status && status !== now.status) tell(`The run: ${WORDS[now.status] ?? now.status}`);
    if (isFollowed || !isOpen()) return;
    isFollowed = true;
    const path = `/threads/${now.threadId}/runs/${now.runId}/stream`;
    // The stream only makes updates faster. If it breaks off, it is followed again; if it is refused, it is not.
    void follow({ path, signal, happened: () => news.dispatchEvent(new Event("news")) }).catch(
      (error: unknown) => (isFollowed = error instanceof Refusal),
    );
  };
  const drawIfThere = async () => {
    try {
      await draw();
      tellAway(undefined);
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      if (!signal.aborted) tellAway(error);
    }
  };
  try {
    await drawIfThere();
    while (!signal.aborted && isOpen()) {
      await new Promise<unknown>((done) => {
        news.addEventListener("news", done, { once: true });
        setTimeout(done, WATCH_MS, undefined);
      });
      await drawIfThere();
    }
  } catch (error) {
    if (!signal.aborted) failed(body, error, () => void showRun({ main, signal }, runId));
  }
}

function drawRun(run: WatchedRun): HTMLElement[] {
  const { request, status, graph, createdAt, error, waits, answer, outcome, calls, stages } = run;
  const isOpen = OPEN.includes(status);
  return [
    element("p", {}, element("a", { href: "#runs" }, "All runs")),
    element(
      "section",
      { class: "card" },
      element("div", { class: "top" }, element("h2", {}, request || "A run"), badge(run)),
      facts([
        ["Graph", graph],
        ["Started", timeText(createdAt)],
        ["Outcome", isOpen ? "" : outcome],
        ["Run", element("span", { class: "mono small" }, run.runId)],
      ]),
      error ? element("p", { class: "bad" }, error) : false,
      answer ? element("h3", {}, "Answer") : false,
      answer ? element("p", {}, answer) : false,
      element("h3", {}, "Stages"),
      drawStages(stages, isOpen || waits),
      calls.length > 0 ? element("h3", {}, `Calls (${calls.length})`) : false,
      ...calls.map(({ tool, args, failed }) =>
        element(
          "p",
          { class: "small" },
          element("span", { class: "mono" }, tool),
          failed ? element("span", { class: "bad" }, " failed") : "",
          element("span", { class: "muted" }, ` ${valueText(args)}`),
        ),
      ),
    ),
  ];
}

function drawStages(stages: WatchedRun["stages"], isOpen: boolean): HTMLElement {
  if (stages.length === 0) return element("p", { class: "muted" }, "None yet.");
  return element(
    "ol",
    { class: "stages" },
    ...stages.map(({ stage, at }, index) => {
      const isLast = index === stages.length - 1;
      const next = stages[index + 1]?.at;
      const ms = at && next ? Date.parse(next) - Date.parse(at) : undefined;
      return element(
        "li",
        { "aria-current": isLast && isOpen ? "step" : undefined },
        element("span", {}, stage),
        element("span", { class: "muted small" }, ms === undefined ? "" : durationText(ms)),
      );
    }),
  );
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
