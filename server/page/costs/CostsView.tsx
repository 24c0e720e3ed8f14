/* Costs and keys: what callers have used, what is left of their budgets, and the keys themselves. */
import { useState } from "react";
import type { ShownCosts, Spent, ShownKey } from "../routes/keyRoutes.js";
import { Choice, Facts, Frame, Loaded, Button, Field } from "../parts/Frame.js";
import { Table } from "../parts/Value.js";
import { useMay, post, remove, act } from "../parts/api.js";
import { useFetched } from "../parts/useLive.js";
import { SchemaCard } from "../approve/SchemaForm.js";
import { counted, timeText } from "../parts/words.js";

const EVERY_MS = 15_000;

export function CostsView() {
  const isAdmin = useMay("admin");
  const mayRead = useMay("read");
  return (
    <Frame title="Costs and keys">
      {mayRead ? <Costs /> : <p className="muted">Viewing usage needs the read scope.</p>}
      <h2>Keys</h2>
      {isAdmin ? <Keys /> : <p className="muted">Viewing keys needs the admin scope.</p>}
    </Frame>
  );
}

const BY: [by: string, words: string][] = [
  ["day", "Day"],
  ["caller", "Key"],
  ["graph", "Graph"],
  ["library", "Library"],
];

function Costs() {
  const [by, setBy] = useState("day");
  const costs = useFetched<ShownCosts>(`/console/costs?by=${by}`, EVERY_MS);
  const rows = costs.value?.rows;
  return (
    <>
      <Loaded of={costs}>
        {({ budget, today }) => (
          <>
            <h2>Today (UTC)</h2>
            <Today today={today} budget={budget} />
          </>
        )}
      </Loaded>
      <h2>Usage in the last 30 days (UTC)</h2>
      <Choice label="By" value={by} options={BY} choose={setBy} />
      {rows?.length === 0 && <p className="empty">There is no usage yet.</p>}
      {rows && rows.length > 0 && <CostTable by={by} rows={rows} />}
    </>
  );
}

/** What this key has used today, and what is left of its budget. */
function Today({ today: { runs, tokens, usd }, budget }: Pick<ShownCosts, "today" | "budget">) {
  return (
    <Facts
      of={[
        ["Runs", left(runs, budget?.runs)],
        ["Tokens", left(tokens, budget?.tokens, (count) => count.toLocaleString("en"))],
        ["Dollars", left(usd, budget?.usd, (amount) => `$${amount.toFixed(2)}`)],
      ]}
    />
  );
}

function left(used: number, whole: number | undefined, text: (amount: number) => string = String) {
  if (whole === undefined) return text(used);
  return `${text(used)} of ${text(whole)}; ${text(Math.max(0, whole - used))} left`;
}

function CostTable({ by, rows }: { by: string; rows: readonly Spent[] }) {
  const words = BY.find(([name]) => name === by)?.[1] ?? by;
  const unnamed = by === "caller" ? "without a key" : "not recorded";
  const cells = rows.map(({ of, runs, modelCalls, tokens, cachedTokens, usd }) => [
    of || unnamed,
    runs.toLocaleString("en"),
    modelCalls.toLocaleString("en"),
    tokens.toLocaleString("en"),
    cachedTokens.toLocaleString("en"),
    `$${usd.toFixed(4)}`,
  ]);
  const columns = [words, "Runs", "Model calls", "Tokens", "Cached", "Dollars"];
  return <Table label={`Usage by ${words.toLowerCase()}`} columns={columns} rows={cells} />;
}

const ASKED = {
  properties: {
    Name: { type: "string" },
    Owner: { type: "string", description: "Whose data it can see; leave empty for its own" },
    Days: { type: "integer", description: "Days until it expires; leave empty for no expiry" },
    Permissions: {
      type: "object",
      properties: {
        run: { type: "boolean", description: "Start runs" },
        read: { type: "boolean", description: "Read its owner's data" },
        approve: { type: "boolean", description: "Approve writes" },
        admin: { type: "boolean", description: "Everything, for every owner" },
      },
    },
  },
};

/** Keys and what they have used today; makes keys and revokes them. */
export function Keys() {
  const keys = useFetched<ShownKey[]>("/console/keys");
  return (
    <Loaded of={keys}>
      {(all) => (
        <>
          {all.length === 0 && (
            <p className="muted">
              There are no keys, so anyone who can reach this server can use it.
            </p>
          )}
          <ul className="cards">
            {all.map((key) => (
              <KeyCard key={key.id} shown={key} changed={keys.reload} />
            ))}
          </ul>
          <NewKey made={keys.reload} />
        </>
      )}
    </Loaded>
  );
}

function KeyCard({ shown, changed }: { shown: ShownKey; changed: () => void }) {
  const { id, name, owner, scopes, state, lastUsedAt, expiresAt, today } = shown;
  const [isSure, setSure] = useState(false);
  const revoke = () => {
    // Only a second press revokes it.
    if (!isSure) return setSure(true);
    void act(async () => {
      await remove(`/console/keys/${encodeURIComponent(id)}`);
      changed();
      return `${name || id} was revoked.`;
    });
  };
  return (
    <li className="card box">
      <h3>
        {name || id} <span className={`badge ${state === "valid" ? "good" : "bad"}`}>{state}</span>
      </h3>
      <Facts
        of={[
          ["Id", id],
          ["Sees", owner === `key:${id}` ? "its own data" : `the data of ${owner}`],
          ["Scopes", scopes.join(", ")],
          ["Last used", timeText(lastUsedAt)],
          ["Expires", timeText(expiresAt)],
          ["Today", `${counted(today.runs, "run")}, ${counted(today.tokens, "token")}`],
        ]}
      />
      {state === "valid" && (
        <Button onClick={revoke}>
          {isSure ? "Press again to confirm" : `Revoke ${name || id}`}
        </Button>
      )}
    </li>
  );
}

function NewKey({ made }: { made: () => void }) {
  const [secret, setSecret] = useState("");
  const send = (asked: Record<string, unknown>) =>
    void act(async () => {
      const { Name: name, Owner, Days: days, Permissions: may } = asked;
      const scopes = Object.entries(Object(may) as object).flatMap(([scope, isChosen]) =>
        isChosen ? scope : [],
      );
      const wanted = { name, owner: Owner || undefined, days, scopes };
      setSecret((await post<{ secret: string }>("/console/keys", wanted)).secret);
      made();
      return "Key created. Its secret is shown only once.";
    });
  return (
    <>
      <h3>New key</h3>
      <SchemaCard key={secret} schema={ASKED} words="Create key" send={send}>
        {secret !== "" && (
          <Field label="Secret (shown only once)">
            <input
              type="text"
              readOnly
              className="mono"
              value={secret}
              onFocus={({ target }) => target.select()}
            />
          </Field>
        )}
      </SchemaCard>
    </>
  );
}
