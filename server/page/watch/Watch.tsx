/* Watch: the way of a run through its graph. */
import "./watch.css";
import { useState } from "react";
import type { WatchedRun } from "../routes/watchedRun.js";
import { Button, Loaded, isOpen } from "../parts/Frame.js";
import { useFetched } from "../parts/useLive.js";
import { GraphDrawing } from "./GraphDrawing.js";
import { Visits } from "./Visits.js";
import type { Wiring } from "./layout.js";
import type { Branch } from "../routes/shownTree.js";

/** The graph of a run with the stages that it has visited, and the tree that it has worked through. */
export function Watch({ run }: { run: WatchedRun }) {
  const [chosen, choose] = useState<string>();
  const { graph, visits, tree } = run;
  const wiring = useFetched<Wiring>(`/assistants/${encodeURIComponent(graph)}/graph`);
  const atWork = isOpen(run) || run.waits ? visits.at(-1)?.stage : undefined;
  const shown = chosen === undefined ? visits : visits.filter(({ stage }) => stage === chosen);
  return (
    <>
      {tree && (
        <section className="tree" aria-label={tree.title}>
          <h2>{tree.title}</h2>
          <Branches of={tree.branches} />
        </section>
      )}
      <h2>Path through the graph</h2>
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
              <Button kind="link" onClick={() => choose(undefined)}>
                Show all
              </Button>
            </p>
          )}
          <Visits key={chosen} run={run} visits={shown} />
        </div>
      </div>
    </>
  );
}

function Branches({ of: branches }: { of: readonly Branch[] }) {
  return (
    <ul>
      {branches.map(({ text, state, note, kind, branches: below }, at) => (
        <li key={at}>
          <p>
            <span className={`kind ${kind}`}>{state}</span> {text}
          </p>
          {note && <p className="muted small text long">{note}</p>}
          {below.length > 0 && <Branches of={below} />}
        </li>
      ))}
    </ul>
  );
}
