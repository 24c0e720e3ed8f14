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

/** The lines of two texts, as what stays, goes and comes; by their longest common sequence. */
function differences(before: string, now: string): DifferentLine[] {
  const [old, fresh] = [before.split("\n").slice(0, 400), now.split("\n").slice(0, 400)];
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = fresh.length - 1; column >= 0; column--) {
      const isSame = old[row] === fresh[column];
      const length = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
      lengths[row]?.fill(length, column, column + 1);
    }
  const lines: DifferentLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [gone, come] = [old[row], fresh[column]];
    if (gone !== undefined && gone === come) {
      lines.push({ kind: "same", line: gone });
      row++;
      column++;
    } else if (
      come !== undefined &&
      (gone === undefined || at(row, column + 1) >= at(row + 1, column))
    ) {
      lines.push({ kind: "new", line: come });
      column++;
    } else {
      lines.push({ kind: "gone", line: gone ?? "" });
      row++;
    }
  }
  return lines;
}
