import type { WatchedRun } from "../../console/watchedRun.js";
import { Requests } from "../approve/Requests.js";
import { Frame, Loaded } from "../parts/Frame.js";
import { RunBadge, isOpen } from "../parts/RunBadge.js";
import { makeClient } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { act } from "../parts/news.js";
import { linkTo } from "../parts/route.js";
import { counted, durationText, shortText, timeText } from "../parts/words.js";
import { Solution } from "../program/Solution.js";
import { Watch } from "../watch/Watch.js";
import { useWatchedTurn } from "./useWatchedTurn.js";

/** One run: what came of it, how, and by which way. */
export function RunView({ runId }: { runId: string }) {
  const run = useWatchedTurn([{ runId, status: "" }]);
  return (
    <Frame title={shortText(run.value?.request || "A run", 200)}>
      <Loaded of={run}>
        {(shown) => (
          <>
            <Facts run={shown} />
            {shown.error && <p className="notice bad">{shown.error}</p>}
            <Requests
              run={shown}
              decided={() => void (location.hash = linkTo("ask", shown.threadId))}
            />
            <Solution run={shown} isOpen />
            <h2>The way through the graph</h2>
            <Watch run={shown} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function Facts({ run }: { run: WatchedRun }) {
  const { graph, settings, createdAt, usage, ledger, threadId, runId } = run;
  const mayRun = useMay("run");
  const stop = () =>
    void act(async () => {
      await makeClient().runs.cancel(threadId, runId);
      return "The run is being stopped.";
    });
  const facts: [name: string, value: unknown][] = [
    ["Graph", graph],
    ["Library", settings["library"]],
    ["Model", settings["model"]],
    ["Begun", timeText(createdAt)],
    ["Took", usage && durationText(usage.ms)],
    ["Model calls", usage && counted(usage.modelCalls, "call")],
    [
      "Tokens",
      usage &&
        `${usage.inputTokens.toLocaleString("en")} in, ${usage.outputTokens.toLocaleString("en")} out`,
    ],
    ["Cost", usage?.usd === undefined ? undefined : `$${usage.usd.toFixed(4)}`],
    ["Budget", ledger && `${ledger.spent} of ${ledger.amount} ${ledger.unit}`],
  ];
  return (
    <div className="run-head">
      <RunBadge run={run} />
      <a href={linkTo("ask", threadId)}>The conversation</a>
      {isOpen(run) && mayRun && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === undefined || value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shortText(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}
