import { type ReactNode, useState } from "react";
import { Button } from "./Button.js";

/** Rows of a page of a list in memory. However long it is, the browser never draws more at once. */
const PAGE = 100;

/** Leads through a list that is shown a page at a time. */
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
      <Button disabled={offset === 0} onClick={() => show(Math.max(0, offset - size))}>
        Previous
      </Button>
      <span className="muted">
        {offset + 1} to {last} of {total.toLocaleString("en")}
      </span>
      <Button disabled={last === total} onClick={() => show(offset + size)}>
        Next
      </Button>
    </div>
  );
}

/** The first rows of a list in memory; then, if somebody wants all, a page at a time. */
export function Rows<Row>(props: {
  of: readonly Row[];
  first: number;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const { of: all, first, children } = props;
  const [offset, show] = useState<number>();
  const isPaged = offset !== undefined;
  return (
    <>
      {children(isPaged ? all.slice(offset, offset + PAGE) : all.slice(0, first))}
      {isPaged && <Pages total={all.length} size={PAGE} offset={offset} show={show} />}
      {!isPaged && all.length > first && (
        <Button kind="link" onClick={() => show(0)}>
          Show all {all.length.toLocaleString("en")}
        </Button>
      )}
    </>
  );
}
