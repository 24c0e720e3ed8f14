import type { ReceiptLine } from "../../../state/deeds.js";

/** What a run has done, in sentences that no model wrote. */
export function Receipt({ lines }: { lines: readonly ReceiptLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl className="receipt" aria-label="Receipt">
      {lines.map(({ kind, label, says }) => (
        <div key={kind} className={kind}>
          {label && <dt>{label}</dt>}
          {says.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
