/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Attributes of an element, such as its class. */
interface Attributes {
  [name: string]: string | undefined;
}

/** An element with its contents. Texts become text nodes, so that data of a run are never read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...contents: (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...contents.filter((content) => content !== undefined));
  return made;
}

/**
 * The element with that id.
 *
 * @throws Error if there is none: page and script do not belong together
 */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} of the id ${id}`);
}
