import { Away, Refusal, forgetKey, get, hasKey, keepKey } from "./api.js";
import { showApprovals, showCount, whatWaits } from "./approvals.js";
import { byId, element, field, tell } from "./dom.js";
import { showKeys } from "./keys.js";
import { showRuns } from "./runs.js";
import { showSearch } from "./search.js";
import { type Place, type Caller, failed, may, repeat, tellAway } from "./view.js";

const VIEWS: Record<string, (place: Place) => Promise<void>> = {
  approvals: showApprovals,
  runs: showRuns,
  search: showSearch,
  keys: showKeys,
};

const FIRST = "approvals";
const COUNT_MS = 5000;

/** How soon a server that is away is asked again (ms). */
const RETRY_MS = 2000;

const main = byId("main");
const nav = document.querySelector("nav");
let leaving = new AbortController();

async function start(): Promise<void> {
  try {
    const caller = await get<Caller>("/console/caller");
    tellAway(undefined);
    if (nav) nav.hidden = false;
    byId("forget").hidden = !hasKey();
    window.addEventListener("hashchange", () => show(caller, true));
    show(caller, false);
    if (may(caller, "read")) void count();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return askForKey();
    if (!(error instanceof Away)) return failed(main, error, () => void start());
    tellAway(error);
    setTimeout(() => void start(), RETRY_MS);
  }
}

function show(caller: Caller, moves: boolean): void {
  leaving.abort();
  leaving = new AbortController();
  const [name = "", ...rest] = location.hash.slice(1).split("/");
  const known = name in VIEWS ? name : FIRST;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${known}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  tell("");
  void VIEWS[known]?.({ main, caller, rest, signal: leaving.signal });
  // Leads screen readers to the new view.
  if (moves) main.focus();
}

/** Keeps the number of what waits up to date, whatever the view. */
async function count(): Promise<void> {
  await repeat({
    signal: new AbortController().signal,
    everyMs: COUNT_MS,
    work: async () => {
      if (!location.hash || location.hash.startsWith(`#${FIRST}`)) return;
      showCount(await whatWaits());
    },
    failed: () => undefined,
  });
}

function askForKey(): void {
  const wrong = hasKey();
  forgetKey();
  document.title = "Key · tulipgraph";
  const key = element("input", { type: "password", autocomplete: "off", spellcheck: "false" });
  const form = element(
    "form",
    {},
    element("h1", {}, "A key is needed"),
    element(
      "p",
      { class: "muted" },
      "The operator of this server makes one with: ",
      element("code", {}, "tulipgraph keys create"),
      ". This tab keeps the key until it is closed.",
    ),
    wrong && element("p", { class: "bad", role: "alert" }, "The server does not know this key."),
    field("Key", key),
    element("div", { class: "buttons" }, element("button", { type: "submit" }, "Go on")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (key.value.trim() === "") return key.focus();
    keepKey(key.value.trim());
    void start();
  });
  main.replaceChildren(form);
  key.focus();
}

byId("forget").addEventListener("click", () => {
  forgetKey();
  location.reload();
});

void start();
