import { type Content, choices, element, facts, field, valueText } from "./dom.js";

/** What a person has decided, or what is still missing and where. */
export type Decided = { resume: unknown } | { problem: string; at?: HTMLElement };

/** An interrupt on the page, and what has been decided on it. */
interface DrawnRequest {
  content: HTMLElement;
  decided: () => Decided;
}

interface DrawnAction extends DrawnRequest {
  /** Absent if it cannot be approved as it is. */
  approve: (() => void) | undefined;
}

interface Action {
  name: string;
  args: Record<string, unknown>;
  description?: string;
}

/** The fields of an interrupt that are read: LangChain's form, and our own additions. */
interface Shown {
  kind?: string;
  problem?: string;
  actionRequests: Action[];
  reviewConfigs?: { allowedDecisions?: string[] }[];
  program?: string;
  bill?: string;
  complete?: boolean;
  before?: string;
  tests?: string[];
  breaks?: string[];
}

const LABELS: Record<string, string> = { approve: "Approve", edit: "Edit", reject: "Reject" };

/** Draws what a run waits for. An interrupt of unknown form takes any JSON as an answer. */
export function drawRequest(value: unknown): DrawnRequest {
  const shown = Object(value) as Partial<Shown>;
  return Array.isArray(shown.actionRequests) ? drawActions(shown as Shown) : drawUnknown(value);
}

function drawActions(shown: Shown): DrawnRequest {
  const { actionRequests, reviewConfigs = [] } = shown;
  const items = actionRequests.map((action, at) =>
    drawAction(
      action,
      actionRequests.length > 1 ? `${at + 1} of ${actionRequests.length}: ` : "",
      reviewConfigs[at]?.allowedDecisions ?? Object.keys(LABELS),
    ),
  );
  const approveAll = () => items.forEach(({ approve }) => approve?.());
  const content = element(
    "div",
    {},
    shown.problem ? element("p", { class: "bad" }, `The last answer: ${shown.problem}`) : false,
    element("ol", { class: "cards" }, ...items.map(({ content }) => content)),
    items.filter(({ approve }) => approve).length > 1 &&
      element("button", { type: "button", class: "quiet", click: approveAll }, "Approve all"),
    ...around(shown),
  );
  return {
    content,
    decided: () => {
      const decisions = items.map(({ decided }) => decided());
      const missing = decisions.find((one) => "problem" in one);
      return (
        missing ?? { resume: { decisions: decisions.map((one) => "resume" in one && one.resume) } }
      );
    },
  };
}

/** What helps a person to decide. */
function around({ program, bill, complete, before, tests = [], breaks = [] }: Shown): Content[] {
  return [
    bill ? element("p", { class: "small" }, `In all: ${bill}.`) : false,
    complete === false
      ? element("p", { class: "small" }, "More may follow; you will be asked about those, too.")
      : false,
    program ? fold("The program", program) : false,
    before ? fold("The current code", before) : false,
    tests.length > 0 ? fold("Its tests", tests.join("\n")) : false,
    ...breaks.map((text) => element("p", { class: "bad small" }, `No longer as before: ${text}`)),
  ];
}

function fold(title: string, text: string): HTMLElement {
  return element("details", {}, element("summary", {}, title), element("pre", {}, text));
}

function drawAction(action: Action, title: string, allowed: string[]): DrawnAction {
  const { name, args, description } = action;
  const reason = element("input", { type: "text", autocomplete: "off" });
  const edited = element("textarea", { rows: "6", spellcheck: "false" });
  edited.value = JSON.stringify(args, null, 2);
  const more = { reject: field("Why (optional)", reason), edit: field("Arguments (JSON)", edited) };
  const choose = (chosen: string | undefined) => {
    for (const [decision, shown] of Object.entries(more)) shown.hidden = decision !== chosen;
  };
  const choice = choices({
    kind: "radio",
    legend: `Decision on ${name}`,
    names: allowed.map((decision) => [decision, LABELS[decision] ?? decision]),
    change: ([chosen]) => choose(chosen),
  });
  choose(undefined);
  const content = element(
    "li",
    { class: "card" },
    element("h3", {}, title, element("span", { class: "mono" }, name)),
    facts(Object.entries(args).map(([key, value]) => [key, shownValue(value)])),
    description ? element("p", { class: "muted small" }, description) : false,
    choice.fieldset,
    more.reject,
    more.edit,
  );
  return {
    content,
    approve: allowed.includes("approve") ? () => choice.choose("approve") : undefined,
    decided: () => {
      const [type] = choice.chosen();
      if (type === undefined) {
        const at = choice.fieldset.querySelector("input") ?? undefined;
        return { problem: `Decide on ${title}${name} first.`, at };
      }
      if (type === "reject")
        return { resume: { type, ...(reason.value && { message: reason.value }) } };
      if (type !== "edit") return { resume: { type } };
      const given = readObject(edited.value);
      return given
        ? { resume: { type, editedAction: { name, args: given } } }
        : { problem: `The arguments of ${name} are not a JSON object.`, at: edited };
    },
  };
}

/** Code and lists on lines of their own. */
function shownValue(value: unknown): Content {
  const text = valueText(value);
  return text.includes("\n") || text.length > 200 ? element("pre", {}, text) : text;
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // The caller says so.
    return undefined;
  }
}

function drawUnknown(value: unknown): DrawnRequest {
  const answer = element("textarea", { rows: "4", spellcheck: "false" });
  return {
    content: element(
      "div",
      {},
      element("pre", {}, valueText(value)),
      field("Answer (JSON, or a text)", answer),
    ),
    decided: () => {
      if (answer.value.trim() === "") return { problem: "The answer is empty.", at: answer };
      try {
        return { resume: JSON.parse(answer.value) as unknown };
      } catch {
        return { resume: answer.value };
      }
    },
  };
}
