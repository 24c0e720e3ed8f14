import type { ShownKey, ShownSpend } from "../keyRoutes.js";
import { get, post, remove } from "./api.js";
import { choices, element, facts, field, tell, timeText } from "./dom.js";
import { type Place, act, failed, frame, may } from "./view.js";

const SCOPES = ["run", "read", "approve", "admin"].map((scope) => [scope, scope] as const);

/** For administrators, all keys and what they have used; for others, what they have used themselves. */
export async function showKeys(place: Place): Promise<void> {
  const { main, caller, signal } = place;
  const isAdmin = may(caller, "admin");
  const body = frame(main, isAdmin ? "Keys and spend" : "Spend");
  const refresh = () => void showKeys(place);
  try {
    if (!isAdmin) {
      const spend = await get<ShownSpend>("/console/spend");
      return body.replaceChildren(
        element("p", {}, `Used today (UTC): ${spendText(spend)}.`),
        element("p", { class: "muted" }, "To see keys takes the scope admin."),
      );
    }
    const keys = await get<ShownKey[]>("/console/keys");
    if (signal.aborted) return;
    const list = element("ul", { class: "cards" }, ...keys.map((key) => drawKey(key, refresh)));
    const none = "There are no keys: anybody who reaches this server may use it.";
    body.replaceChildren(
      keys.length > 0 ? list : element("p", { class: "muted" }, none),
      element("h2", {}, "A new key"),
      drawForm(list),
    );
  } catch (error) {
    failed(body, error, refresh);
  }
}

function drawKey(key: ShownKey, changed: () => void): HTMLElement {
  const { id, name, owner, scopes, state, lastUsedAt, expiresAt, today } = key;
  const revoke = element("button", { type: "button", class: "quiet" }, `Revoke ${name || id}`);
  revoke.addEventListener("click", () => {
    // Only a second press revokes it.
    if (revoke.dataset["sure"] === undefined) {
      revoke.dataset["sure"] = "";
      revoke.textContent = "Press again to revoke it for good";
      return;
    }
    void act(revoke, async () => {
      await remove(`/console/keys/${encodeURIComponent(id)}`);
      changed();
      return `${name || id} is revoked.`;
    });
  });
  return element(
    "li",
    { class: "card" },
    element(
      "div",
      { class: "top" },
      element("h2", {}, name || id),
      element("span", { class: `badge ${state === "valid" ? "good" : "bad"}` }, state),
    ),
    facts([
      ["Id", element("span", { class: "mono" }, id)],
      ["Data", owner === id ? "its own" : `those of ${owner}`],
      ["Scopes", scopes.join(", ")],
      ["Last used", timeText(lastUsedAt)],
      ["Valid", `until ${expiresAt === null ? "it is revoked" : timeText(expiresAt)}`],
      ["Today", spendText(today)],
    ]),
    state === "valid" ? element("div", { class: "buttons" }, revoke) : false,
  );
}

function spendText({ runs, modelCalls, tokens, usd }: ShownSpend): string {
  return `${runs} runs, ${modelCalls} model calls, ${tokens} tokens, $${usd.toFixed(2)}`;
}

function drawForm(list: HTMLElement): HTMLElement {
  const name = element("input", { type: "text", autocomplete: "off" });
  const owner = element("input", { type: "text", autocomplete: "off" });
  const days = element("input", { type: "number", min: "1", max: "3650" });
  const scopes = choices({ kind: "checkbox", legend: "It may", names: SCOPES });
  const send = element("button", { type: "submit" }, "Make a key");
  const made = element("div", { "aria-live": "polite" });
  const form = element(
    "form",
    {},
    element(
      "div",
      { class: "row" },
      field("Name", name),
      field("Owner (empty: its own data)", owner),
      field("Days (empty: for ever)", days),
    ),
    scopes.fieldset,
    element("div", { class: "buttons" }, send),
    made,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (scopes.chosen().length === 0) return tell("Choose what the key may do.", true);
    void act(send, async () => {
      const wanted = {
        name: name.value,
        scopes: scopes.chosen(),
        ...(owner.value && { owner: owner.value }),
        ...(days.value && { days: Number(days.value) }),
      };
      const { secret, key } = await post<{ secret: string; key: ShownKey }>(
        "/console/keys",
        wanted,
      );
      const today = { runs: 0, modelCalls: 0, tokens: 0, usd: 0 };
      list.prepend(drawKey({ ...key, today }, () => undefined));
      made.replaceChildren(drawSecret(secret));
      form.reset();
      return "The key has been made. Its secret is shown only now.";
    });
  });
  return form;
}

/** The secret is not stored: changing the view or reloading removes it. */
function drawSecret(secret: string): HTMLElement {
  const shown = element("input", { type: "text", readonly: true, class: "mono", value: secret });
  shown.addEventListener("focus", () => shown.select());
  const copy = element("button", { type: "button", class: "quiet" }, "Copy");
  copy.addEventListener("click", () => {
    void act(copy, async () => {
      await navigator.clipboard.writeText(secret);
      return "Copied.";
    });
  });
  return element(
    "div",
    { class: "card" },
    field("The secret, shown this once", shown),
    element("div", { class: "buttons" }, copy),
  );
}
