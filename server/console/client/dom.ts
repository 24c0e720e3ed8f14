/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Attributes of an element, and functions for its events. */
interface Attributes {
  [name: string]: string | boolean | ((event: Event) => void) | undefined;
}

export type Content = Node | string | undefined | false;

/**
 * Makes an element with its contents. Texts become text nodes: nothing from a run, a tool or a person is ever read as
 * HTML.
 *
 * @example
 * element("button", { type: "button", click: send }, "Send")
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...contents: Content[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...contents.filter((content) => content !== undefined && content !== false));
  return made;
}

/** The element with an id. @throws Error if the page has none, because page and script do not belong together */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element "${id}".`);
  return found;
}

let labelled = 0;

/** A field under its label. */
export function field(label: string, input: HTMLElement): HTMLDivElement {
  input.id = `field-${++labelled}`;
  return element("div", {}, element("label", { for: input.id }, label), input);
}

/** A choice of one (`radio`) or several (`checkbox`). */
export function choices(options: {
  kind: "radio" | "checkbox";
  legend: string;
  names: readonly (readonly [value: string, label: string])[];
  change?: (chosen: string[]) => void;
}): { fieldset: HTMLFieldSetElement; chosen: () => string[]; choose: (value: string) => void } {
  const { kind, legend, names, change } = options;
  const group = `group-${++labelled}`;
  const inputs = names.map(([value]) => element("input", { type: kind, name: group, value }));
  const chosen = () => inputs.filter(({ checked }) => checked).map(({ value }) => value);
  const labels = names.map(([, label], at) => element("label", {}, inputs[at], label));
  const fieldset = element(
    "fieldset",
    { change: () => change?.(chosen()) },
    element("legend", {}, legend),
    element("div", { class: "choices" }, ...labels),
  );
  const choose = (value: string) => {
    for (const input of inputs) input.checked = input.value === value;
    change?.([value]);
  };
  return { fieldset, chosen, choose };
}

/** A list of names and values. */
export function facts(pairs: readonly (readonly [string, Content])[]): HTMLDListElement {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return element(
    "dl",
    {},
    ...shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

/** Says what has happened, also to screen readers. */
export function tell(text: string, isProblem = false): void {
  const told = byId("told");
  told.classList.toggle("problem", isProblem);
  told.textContent = text;
}

/** A value for people: texts as they are, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

export function timeText(time: string | number | null): string {
  if (time === null) return "never";
  return new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
