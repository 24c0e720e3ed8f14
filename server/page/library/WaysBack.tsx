import type { ShownWayBack, Verdict } from "../routes/reviews.js";
import { Button, Rows } from "../parts/Frame.js";
import { post, useMay, act } from "../parts/api.js";

const FIRST = 5;

interface WaysBackProps {
  library: string;
  proposed: readonly ShownWayBack[];
  decided: () => void;
}

/** How changes by tools may be taken back, as their names suggest, until somebody decides. */
export function WaysBack({ library, proposed, decided }: WaysBackProps) {
  const mayDecide = useMay("admin");
  const decide = (verdict: Verdict["verdict"], { tool, undo }: ShownWayBack) =>
    void act(async () => {
      await post("/console/reviews", { library, verdict, waysBack: [{ tool, undo }] });
      decided();
      return `Way back of ${tool} ${verdict}ed.`;
    });
  return (
    <section aria-labelledby="ways-back">
      <h2 id="ways-back">Proposed ways back</h2>
      <p className="muted">
        What these tools change can be undone once someone accepts how
        {mayDecide ? "." : ", which needs the admin scope."}
      </p>
      <Rows of={proposed} first={FIRST}>
        {(some) => (
          <ul className="cards">
            {some.map((one) => (
              <li key={one.tool} className="card box">
                <p>
                  {one.tool} <span className="muted">is taken back by</span> <code>{one.undo}</code>
                  {one.before !== undefined && (
                    <>
                      <span className="muted">, and what it changes is read by</span>{" "}
                      <code>{one.before}</code>
                    </>
                  )}
                </p>
                {mayDecide && (
                  <div className="buttons">
                    <Button onClick={() => decide("accept", one)}>Accept for {one.tool}</Button>
                    <Button onClick={() => decide("reject", one)}>Reject for {one.tool}</Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </section>
  );
}
