/*
 * Watch: the way of a run through its graph.
 *
 * Watch         the drawing and the visits, which point at each other
 * GraphDrawing  the graph from its wiring, the ways taken and the stage at work
 * layout        where its stages stand
 * Visits        what each visit of a stage did and took
 * GoBack        the state before a visit, and how to go on from it
 */
import "./watch.css";
import { useState } from "react";
import type { WatchedRun } from "../../console/watchedRun.js";
import { Loaded } from "../parts/Frame.js";
import { isOpen } from "../parts/RunBadge.js";
import { get } from "../parts/api.js";
import { useLive } from "../parts/useLive.js";
import { GraphDrawing } from "./GraphDrawing.js";
import { Visits } from "./Visits.js";
import type { Wiring } from "./layout.js";

/** The graph of a run with the stages that it has visited. */
export function Watch({ run }: { run: WatchedRun }) {
  const [chosen, choose] = useState<string>();
  const { graph, visits } = run;
  const wiring = useLive(`wiring ${graph}`, () =>
    get<Wiring>(`/assistants/${encodeURIComponent(graph)}/graph`),
  );
  const atWork = isOpen(run) || run.waits ? visits.at(-1)?.stage : undefined;
  const shown = chosen === undefined ? visits : visits.filter(({ stage }) => stage === chosen);
  return (
    <div className="watch">
      <Loaded of={wiring}>
        {(drawn) => (
          <GraphDrawing
            wiring={drawn}
            visits={visits}
            atWork={atWork}
            chosen={chosen}
            choose={(stage) => choose(stage === chosen ? undefined : stage)}
          />
        )}
      </Loaded>
      <div>
        {chosen !== undefined && (
          <p>
            Visits of <strong>{chosen}</strong>{" "}
            <button type="button" className="link" onClick={() => choose(undefined)}>
              Show all
            </button>
          </p>
        )}
        <Visits run={run} visits={shown} />
      </div>
    </div>
  );
}
