import type { ShownLibrary } from "../../console/libraryRoutes.js";
import { timeText } from "../parts/words.js";

/** What sources have changed and nobody has accepted, as differences. */
export function Withheld(props: { library: string; withheld: ShownLibrary["withheld"] }) {
  const { library, withheld } = props;
  return (
    <section aria-labelledby="review">
      <h2 id="review">Waits for review</h2>
      <p className="muted">
        Agents do not see these definitions until somebody has accepted them with{" "}
        <code>tulipgraph tools review --library {library}</code>.
      </p>
      <ul className="cards">
        {withheld.map(({ tool, origin, at, rejected, now, before }) => (
          <li key={`${origin} ${tool}`} className="card">
            <details>
              <summary>
                {tool}{" "}
                <span className="muted">
                  {before ? "changed" : "new"} at {origin} · {timeText(at)}
                  {rejected && " · rejected"}
                </span>
              </summary>
              <pre className="difference">
                {differences(before, now).map(({ kind, line }, row) => (
                  <span key={row} className={kind}>
                    {kind === "gone" ? "− " : kind === "new" ? "+ " : "  "}
                    {line}
                    {"\n"}
                  </span>
                ))}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DifferentLine {
  kind: "same" | "gone" | "new";
  line: string;
}

/** The lines of a definition and of the one before it: first what goes, then all that is there now. */
function differences(before: string, now: string): DifferentLine[] {
  const [old, fresh] = [before.split("\n"), now.split("\n")];
  const gone = old.filter((line) => line !== "" && !fresh.includes(line));
  return [
    ...gone.map((line): DifferentLine => ({ kind: "gone", line })),
    ...fresh.map((line): DifferentLine => ({ kind: old.includes(line) ? "same" : "new", line })),
  ];
}
