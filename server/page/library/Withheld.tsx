import type { ShownWithheld, Verdict } from "../routes/reviews.js";
import { Button, Rows } from "../parts/Frame.js";
import { post, useMay, act } from "../parts/api.js";
import { counted, timeText } from "../parts/words.js";

type Waiting = readonly ShownWithheld[];

const FIRST = 20;

/** What sources have changed and nobody has accepted, as differences. */
export function Withheld(props: { library: string; withheld: Waiting; decided: () => void }) {
  const { library, withheld, decided } = props;
  const mayDecide = useMay("admin");
  const decide = (verdict: Verdict["verdict"], waiting: Waiting) =>
    void act(async () => {
      const tools = waiting.map(({ tool, hash }) => ({ tool, hash }));
      await post("/console/reviews", { library, verdict, tools });
      decided();
      return `${counted(tools.length, "definition")} ${verdict}ed.`;
    });
  const open = withheld.filter(({ rejected, hash }) => !rejected && hash !== "");
  return (
    <section aria-labelledby="review">
      <h2 id="review">Waiting for review</h2>
      <p className="muted">
        Agents do not see these definitions until someone accepts them
        {mayDecide ? "." : ", which needs the admin scope."}
      </p>
      <Rows of={withheld} first={FIRST}>
        {(some) => (
          <ul className="cards">
            {some.map((one) => (
              <li key={`${one.origin} ${one.tool}`} className="card box">
                <details>
                  <summary>
                    {one.tool}{" "}
                    <span className="muted">
                      {one.isNew ? "new" : "changed"} in {one.origin} · {timeText(one.at)}
                      {one.rejected && " · rejected"}
                    </span>
                  </summary>
                  <pre className="difference" tabIndex={0} role="region" aria-label="Differences">
                    {one.difference.split("\n").map((line, row) => (
                      <span key={row} className={KINDS[line.slice(0, 1)]}>
                        {line}
                        {"\n"}
                      </span>
                    ))}
                  </pre>
                </details>
                {one.hash === "" && (
                  <p className="muted">
                    It is too long to review here. The operator can use{" "}
                    <code>tulipgraph tools review</code>.
                  </p>
                )}
                {mayDecide && one.hash !== "" && (
                  <div className="buttons">
                    <Button onClick={() => decide("accept", [one])}>Accept {one.tool}</Button>
                    {!one.rejected && (
                      <Button onClick={() => decide("reject", [one])}>Reject {one.tool}</Button>
                    )}
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </Rows>
      {mayDecide && open.length > 1 && (
        <Button onClick={() => decide("accept", open)}>Accept all {open.length}</Button>
      )}
    </section>
  );
}

const KINDS: Record<string, string> = { "+": "new", "-": "gone" };
