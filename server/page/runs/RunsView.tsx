/*
 * Runs: what was asked of all graphs, with outcome before state.
 *
 * RunsView        the list, with filters and paging
 * RunView         one run: its answer, its program, its way through the graph
 * useWatchedTurn  a run kept up to date
 */
import "./runs.css";
import { useState } from "react";
import type { ShownRun } from "../routes/watchedRun.js";
import { Button } from "../parts/Button.js";
import { Frame, Loaded } from "../parts/Frame.js";
import { Pages } from "../parts/Pages.js";
import { RunBadge, isOpen } from "../parts/RunBadge.js";
import { type Page, getPage } from "../parts/api.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";
import { durationText, shortText, timeText, tokensText } from "../parts/words.js";
import { RunView } from "./RunView.js";

const EVERY_MS = 3000;

const PAGE = 25;

/** What became of the runs that are shown. */
const ENDS: [end: string, words: string][] = [
  ["", "All"],
  ["solved", "Solved"],
  ["unsolved", "Not solved"],
  ["waiting", "Waiting for a decision"],
  ["open", "Running"],
  ["stopped", "Stopped"],
];

/** All runs, one run, or two side by side. */
export function RunsView({ rest }: { rest: string[] }) {
  const ids = rest.filter((id) => id !== "").slice(0, 2);
  if (ids.length === 0) return <RunList />;
  return (
    <div className={ids.length === 2 ? "beside" : ""}>
      {ids.map((id) => (
        <RunView key={id} runId={id} />
      ))}
    </div>
  );
}

function RunList() {
  const [wanted, setWanted] = useState({ end: "", words: "", offset: 0 });
  const { end, words, offset } = wanted;
  const want = (part: Partial<typeof wanted>) => setWanted({ ...wanted, offset: 0, ...part });
  const [picked, setPicked] = useState<string[]>([]);
  const filter = new URLSearchParams({ ...(end && { end }), ...(words && { words }) });
  const query = `limit=${PAGE}&offset=${offset}&${filter}`;
  const runs = useLive(
    `runs ${query}`,
    () => getPage<Page<ShownRun>>(`/console/runs?${query}`),
    EVERY_MS,
  );
  const pick = (id: string, isPicked: boolean) =>
    setPicked((before) =>
      isPicked ? [...before, id].slice(-2) : before.filter((one) => one !== id),
    );
  return (
    <Frame title="Runs">
      <div className="filters" role="group" aria-label="Show">
        {ENDS.map(([name, label]) => (
          <Button key={name} aria-pressed={name === end} onClick={() => want({ end: name })}>
            {label}
          </Button>
        ))}
        <input
          type="search"
          aria-label="Search by request, graph or library"
          placeholder="Search by request, graph or library"
          value={words}
          onChange={({ target }) => want({ words: target.value })}
        />
        {picked.length === 2 && <a href={linkTo("runs", ...picked)}>Compare</a>}
      </div>
      <Loaded of={runs}>
        {({ rows, total }) => (
          <>
            {rows.length === 0 && <p className="empty">No runs match.</p>}
            <ul className="runs box">
              {rows.map((run) => (
                <RunRow
                  key={run.runId}
                  run={run}
                  isPicked={picked.includes(run.runId)}
                  pick={pick}
                />
              ))}
            </ul>
            <Pages total={total} size={PAGE} offset={offset} show={(at) => want({ offset: at })} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function RunRow(props: {
  run: ShownRun;
  isPicked: boolean;
  pick: (id: string, isPicked: boolean) => void;
}) {
  const { run, isPicked, pick } = props;
  const { runId, request, goesOn, graph, settings, caller, createdAt, usage, error } = run;
  const title = request || (goesOn ? "Continues after a decision" : "A run without a request");
  const known = usage && !isOpen(run);
  const used = known ? [durationText(usage.ms), tokensText(usage)] : [];
  const facts = [graph, settings["library"], caller, timeText(createdAt), ...used];
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Select “${title.slice(0, 60)}” for comparison`}
        checked={isPicked}
        onChange={({ target }) => pick(runId, target.checked)}
      />
      <div className="run-what">
        <a className="line" href={linkTo("runs", runId)}>
          {title}
        </a>
        <span className="muted small">{shortText(facts.filter(Boolean).join(" · "), 200)}</span>
        {error && <span className="bad small">{error}</span>}
      </div>
      <RunBadge run={run} />
    </li>
  );
}
