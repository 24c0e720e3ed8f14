import type { WatchedRun } from "../routes/watchedRun.js";
import { Requests } from "../approve/Requests.js";
import { Button } from "../parts/Button.js";
import { Facts, Frame, Loaded } from "../parts/Frame.js";
import { RunBadge, isOpen } from "../parts/RunBadge.js";
import { makeClient } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { act } from "../parts/news.js";
import { linkTo } from "../parts/route.js";
import { counted, durationText, shortText, timeText, tokensText } from "../parts/words.js";
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
          ["Budget", ledger && `${ledger.spent} of ${ledger.amount} ${ledger.unit}`],
        ]}
      />
    </>
  );
}
