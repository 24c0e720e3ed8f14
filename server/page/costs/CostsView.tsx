/*
 * Costs and keys: what callers have used, what is left of their budgets, and the keys themselves.
 *
 * CostsView  what was used, by day, key, graph or library
 * Keys       keys, for administrators
 */
import { useState } from "react";
import type { ShownCosts, ShownSpend, Spent } from "../routes/keyRoutes.js";
import { Choice } from "../parts/Choice.js";
import { Facts, Frame, Loaded } from "../parts/Frame.js";
import { Table } from "../parts/Value.js";
import { get } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { useLive } from "../parts/useLive.js";
import { Keys } from "./Keys.js";

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
  const costs = useLive(
    `costs by ${by}`,
    () => get<ShownCosts>(`/console/costs?by=${by}`),
    EVERY_MS,
  );
  const rows = costs.value?.rows;
  return (
    <>
      <Loaded of={costs}>
        {({ budget, today }) => (
          <>
            <h2>Today (UTC)</h2>
            <Today spent={today} budget={budget} />
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
function Today({ spent, budget }: { spent: ShownSpend; budget: ShownCosts["budget"] }) {
  const { runs, tokens, usd } = spent;
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
  const cells = rows.map(({ of, runs, modelCalls, tokens, usd }) => [
    of || unnamed,
    runs.toLocaleString("en"),
    modelCalls.toLocaleString("en"),
    tokens.toLocaleString("en"),
    `$${usd.toFixed(4)}`,
  ]);
  const columns = [words, "Runs", "Model calls", "Tokens", "Dollars"];
  return <Table label={`Usage by ${words.toLowerCase()}`} columns={columns} rows={cells} />;
}
