/* Runs: what was asked of all graphs, a row for each request, with outcome before state. */
import "./runs.css";
import { useState } from "react";
import type { ShownRun, WatchedRun } from "../routes/watchedRun.js";
import { shareText } from "../../../state/budgetSetting.js";
import { Button, Frame, Loaded, Pages, RunBadge, isOpen, Facts } from "../parts/Frame.js";
import { getPage, makeClient, useMay, act } from "../parts/api.js";
import { linkTo, durationText, shortText, timeText, tokensText, counted } from "../parts/words.js";
import { useLive, useWatchedRun } from "../parts/useLive.js";
import { Requests } from "../approve/Requests.js";
import { Solution } from "../program/Solution.js";
import { Watch } from "../watch/Watch.js";

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
    () => getPage<ShownRun>(`/console/runs?${query}`),
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
                  key={run.requestId}
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
  const { runId, request, graph, settings, caller, createdAt, usage, error } = run;
  const title = request || "A run without a request";
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

function RunView({ runId }: { runId: string }) {
  const run = useWatchedRun(runId);
  return (
    <Frame title={shortText(run.value?.request || "A run", 200)}>
      <Loaded of={run}>
        {(shown) => (
          <>
            <Head run={shown} />
            {shown.error && <p className="notice bad">{shown.error}</p>}
            <Requests
              run={shown}
              decided={() => void (location.hash = linkTo("ask", shown.threadId))}
            />
            <Solution run={shown} isOpen />
            <Watch run={shown} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function Head({ run }: { run: WatchedRun }) {
  const { graph, settings, caller, createdAt, usage, ledger, threadId, runId } = run;
  const mayRun = useMay("run");
  const stop = async () => {
    await makeClient().runs.cancel(threadId, runId);
    return "The run is being stopped.";
  };
  return (
    <>
      <p className="foot">
        <RunBadge run={run} />
        <a href={linkTo("ask", threadId)}>Conversation</a>
        {isOpen(run) && mayRun && <Button onClick={() => void act(stop)}>Stop</Button>}
      </p>
      <Facts
        of={[
          ["Graph", graph],
          ["Library", settings["library"] as string],
          ["Model", settings["model"] as string],
          ["Started", timeText(createdAt)],
          ["By", caller || undefined],
          ["Duration", usage && durationText(usage.ms)],
          ["Usage", usage && `${counted(usage.modelCalls, "model call")}, ${tokensText(usage)}`],
          ["Cost", usage?.usd && `$${usage.usd.toFixed(4)}`],
          ["Budget", ledger && shareText({ ...ledger, part: ledger.spent })],
        ]}
      />
    </>
  );
}
