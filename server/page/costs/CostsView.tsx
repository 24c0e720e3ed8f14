/*
 * Costs and keys: what callers have used, by day and key, and the keys themselves.
 *
 * CostsView  what was used
 * Keys       keys, for administrators
 */
import "./costs.css";
import type { SpendOfDay } from "../../console/keyRoutes.js";
import { Frame, Loaded } from "../parts/Frame.js";
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
      <h2>Used in the last 30 days (UTC)</h2>
      {mayRead ? <Costs /> : <p className="muted">To see what was used takes the scope read.</p>}
      <h2>Keys</h2>
      {isAdmin ? <Keys /> : <p className="muted">To see keys takes the scope admin.</p>}
    </Frame>
  );
}

function Costs() {
  const costs = useLive("costs", () => get<SpendOfDay[]>("/console/costs"), EVERY_MS);
  return (
    <Loaded of={costs}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="empty">Nothing has been used yet.</p>
        ) : (
          <>
            <Days rows={rows} />
            <CostTable rows={rows} />
          </>
        )
      }
    </Loaded>
  );
}

const DAYS = 30;

const DAY_MS = 86_400_000;

/** Tokens of each day as bars, up to today. */
function Days({ rows }: { rows: readonly SpendOfDay[] }) {
  const byDay = new Map<string, number>();
  for (const { day, tokens } of rows) byDay.set(day, (byDay.get(day) ?? 0) + tokens);
  const most = Math.max(1, ...byDay.values());
  const days = Array.from({ length: DAYS }, (_, at) =>
    new Date(Date.now() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  return (
    <svg
      className="days"
      viewBox={`0 0 ${DAYS * 24} 104`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Tokens by day; the table below has the figures"
    >
      {days.map((day, at) => {
        const tokens = byDay.get(day) ?? 0;
        const height = 3 + (tokens / most) * 97;
        return (
          <rect
            key={day}
            className={tokens > 0 ? "used" : ""}
            x={at * 24 + 3}
            y={102 - height}
            width={18}
            height={height}
          >
            <title>{`${day}: ${tokens.toLocaleString("en")} tokens`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function CostTable({ rows }: { rows: readonly SpendOfDay[] }) {
  const hasDollars = rows.some(({ usd }) => usd > 0);
  return (
    <div className="table" tabIndex={0} role="region" aria-label="Used by day and key">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Key</th>
            <th scope="col">Runs</th>
            <th scope="col">Model calls</th>
            <th scope="col">Tokens</th>
            {hasDollars && <th scope="col">Dollars</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, caller, runs, modelCalls, tokens, usd }) => (
            <tr key={`${day} ${caller}`}>
              <td>{day}</td>
              <td>{caller || "without a key"}</td>
              <td className="figure">{runs.toLocaleString("en")}</td>
              <td className="figure">{modelCalls.toLocaleString("en")}</td>
              <td className="figure">{tokens.toLocaleString("en")}</td>
              {hasDollars && <td className="figure">{usd.toFixed(4)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
