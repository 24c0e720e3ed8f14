/** Leads through a list that is shown a part at a time. */
export function Pages(props: {
  total: number;
  size: number;
  offset: number;
  show: (offset: number) => void;
}) {
  const { total, size, offset, show } = props;
  if (total <= size) return null;
  const last = Math.min(total, offset + size);
  return (
    <div className="buttons">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => show(Math.max(0, offset - size))}
      >
        Before
      </button>
      <span className="muted">
        {offset + 1} to {last} of {total.toLocaleString("en")}
      </span>
      <button type="button" disabled={last === total} onClick={() => show(offset + size)}>
        After
      </button>
    </div>
  );
}
