import { useState } from "react";
import type { ShownTool } from "../routes/libraryRoutes.js";
import { Loaded } from "../parts/Frame.js";
import { Pages } from "../parts/Pages.js";
import { type Page, getPage } from "../parts/api.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";

const PAGE = 50;

/** Tools of a group, or all of them, a page at a time. */
export function ToolList({ library, group }: { library: string; group: string }) {
  const [offset, setOffset] = useState(0);
  const wanted = new URLSearchParams({ library, ...(group && { group }) });
  const query = `${wanted}&limit=${PAGE}&offset=${offset}`;
  const tools = useLive(`tools ${query}`, () =>
    getPage<Page<ShownTool>>(`/console/tools?${query}`),
  );
  return (
    <Loaded of={tools}>
      {({ rows, total }) => (
        <>
          <ul className="tools">
            {rows.map(({ id, name, description, writes }) => (
              <li key={id}>
                <a className="tool" href={linkTo("library", library, "tool", id)}>
                  {name}
                </a>
                <span className="muted">
                  {writes && <span className="kind write">writes</span>} {description}
                </span>
              </li>
            ))}
          </ul>
          <Pages total={total} size={PAGE} offset={offset} show={setOffset} />
        </>
      )}
    </Loaded>
  );
}
