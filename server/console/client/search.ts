import type { ShownSearch } from "../libraryRoutes.js";
import { get } from "./api.js";
import { element, field } from "./dom.js";
import { type Place, act, failed, frame } from "./view.js";

/** What an agent would find in a library. */
export async function showSearch(place: Place): Promise<void> {
  const { main, signal } = place;
  const body = frame(main, "Search a library");
  try {
    const { libraries, usual } = await get<{ libraries: string[]; usual: string }>(
      "/console/libraries",
    );
    if (!signal.aborted) body.replaceChildren(...drawForm(libraries, usual));
  } catch (error) {
    failed(body, error, () => void showSearch(place));
  }
}

function drawForm(libraries: string[], usual: string): HTMLElement[] {
  const known = [...new Set([usual, ...libraries])];
  const library = element("select", {}, ...known.map((name) => element("option", {}, name)));
  const phrase = element("input", { type: "search", autocomplete: "off" });
  const send = element("button", { type: "submit" }, "Search");
  const found = element("div", {});
  const form = element(
    "form",
    { role: "search" },
    element("p", { class: "muted" }, "Say what the tool should do, as an agent would."),
    field("What is to be done", phrase),
    field("Library", library),
    element("div", { class: "buttons" }, send),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (phrase.value.trim() === "") return phrase.focus();
    found.replaceChildren(element("p", { class: "muted" }, "Searching …"));
    void act(send, async () => {
      const query = new URLSearchParams({ library: library.value, phrase: phrase.value });
      try {
        const result = await get<ShownSearch>(`/console/search?${query}`);
        found.replaceChildren(drawFound(result));
        return `${result.hits.length} found`;
      } catch (error) {
        found.replaceChildren();
        throw error;
      }
    });
  });
  return [form, found];
}

function drawFound({ hits, unsure }: ShownSearch): HTMLElement {
  const said = hits.length > 0 ? "Unsure: these are only the nearest." : "Nothing was found.";
  return element(
    "ol",
    { class: "cards" },
    ...(unsure ? [element("li", { class: "muted" }, `${said} Try other words.`)] : []),
    ...hits.map(({ tool, description, writes }) =>
      element(
        "li",
        { class: "card" },
        element(
          "div",
          { class: "top" },
          element("h2", { class: "mono" }, tool),
          element("span", { class: "badge" }, writes ? "writes" : "reads"),
        ),
        element("p", {}, description),
      ),
    ),
  );
}
