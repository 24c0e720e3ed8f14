import type { Branch } from "../routes/shownTree.js";

/** A tree of tasks or steps, as lists within lists. */
export function Branches({ of: branches }: { of: readonly Branch[] }) {
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
