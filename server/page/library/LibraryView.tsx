/* Library: what agents can find, why they find it, and what a tool gives. */
import "./library.css";
import { useState } from "react";
import type { Choices, ShownLibrary, ShownSearch, ShownTool } from "../routes/libraryRoutes.js";
import { Button, Form, Choice, Frame, Loaded, Pages } from "../parts/Frame.js";
import { getPage } from "../parts/api.js";
import { linkTo, counted } from "../parts/words.js";
import { useFetched, useLive } from "../parts/useLive.js";
import { ToolCard } from "./ToolCard.js";
import { WaysBack } from "./WaysBack.js";
import { Withheld } from "./Withheld.js";

/** `#library/NAME`, `#library/NAME/tool/ID`. */
export function LibraryView({ rest: [name, what, tool] }: { rest: string[] }) {
  const offer = useFetched<Choices>("/console/choices");
  return (
    <Frame title="Library">
      <Loaded of={offer}>
        {({ libraries, usual }) => {
          const shown = name || (libraries.includes(usual.library) ? usual.library : libraries[0]);
          if (shown === undefined)
            return (
              <p className="empty">
                There is no library yet. The operator of this server can import tools with{" "}
                <code>tulipgraph tools import</code>.
              </p>
            );
          return (
            <>
              <Choice
                label="Library"
                value={shown}
                options={libraries}
                choose={(chosen) => void (location.hash = linkTo("library", chosen))}
              />
              {what === "tool" && tool ? (
                <ToolCard library={shown} tool={tool} />
              ) : (
                <OneLibrary key={shown} name={shown} />
              )}
            </>
          );
        }}
      </Loaded>
    </Frame>
  );
}

function OneLibrary({ name }: { name: string }) {
  const library = useFetched<ShownLibrary>(`/console/library?library=${encodeURIComponent(name)}`);
  const [group, setGroup] = useState("");
  return (
    <Loaded of={library}>
      {({ description, size, revision, groups, origins, withheld, waysBack }) => (
        <>
          <div>
            {description && <p className="lead">{description}.</p>}
            <p className="muted small">
              {counted(size, "tool")} · revision {revision} · from{" "}
              {counted(origins.length, "source")}
            </p>
          </div>
          <Search library={name} />
          {withheld.length > 0 && (
            <Withheld withheld={withheld} library={name} decided={library.reload} />
          )}
          {waysBack.length > 0 && (
            <WaysBack proposed={waysBack} library={name} decided={library.reload} />
          )}
          <h2>Tools</h2>
          {groups.length > 0 && (
            <Choice
              label="Group"
              value={group}
              options={[
                ["", `All ${groups.length} groups`],
                ...groups.map((each): [string, string] => [
                  each.name,
                  `${each.name} (${each.size})`,
                ]),
              ]}
              choose={setGroup}
            />
          )}
          <ToolList key={`${group} ${revision}`} library={name} group={group} />
        </>
      )}
    </Loaded>
  );
}

function Search({ library }: { library: string }) {
  const [phrase, setPhrase] = useState("");
  const [sought, setSought] = useState("");
  return (
    <section aria-labelledby="search">
      <h2 id="search">What would an agent find?</h2>
      <Form className="search" send={() => setSought(phrase.trim())}>
        <input
          type="search"
          aria-label="Describe a task"
          placeholder="Describe a task"
          value={phrase}
          onChange={({ target }) => setPhrase(target.value)}
        />
        <Button type="submit" kind="main" disabled={phrase.trim() === ""}>
          Search
        </Button>
      </Form>
      {sought !== "" && <Found library={library} phrase={sought} />}
    </section>
  );
}

function Found({ library, phrase }: { library: string; phrase: string }) {
  const query = String(new URLSearchParams({ library, phrase }));
  const found = useFetched<ShownSearch>(`/console/search?${query}`);
  return (
    <Loaded of={found}>
      {({ hits, unsure }) => (
        <>
          {unsure && (
            <p className="notice">
              Nothing is close enough for an agent
              {hits.length > 0 ? "; these are only the closest matches." : "."}
            </p>
          )}
          <ol className="hits">
            {hits.map(({ tool, description, writes, distance, words }) => (
              <li key={tool}>
                <h3>
                  <a className="tool" href={linkTo("library", library, "tool", tool)}>
                    {tool}
                  </a>{" "}
                  {writes && <span className="kind write">writes</span>}
                </h3>
                <p>{description}</p>
                <p className="muted small">
                  Distance {distance.toFixed(2)} of 2
                  {words.length > 0 && ` · words in common: ${words.join(", ")}`}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  );
}

const PAGE = 50;

function ToolList({ library, group }: { library: string; group: string }) {
  const [offset, setOffset] = useState(0);
  const wanted = new URLSearchParams({ library, ...(group && { group }) });
  const query = `${wanted}&limit=${PAGE}&offset=${offset}`;
  const tools = useLive(`tools ${query}`, () => getPage<ShownTool>(`/console/tools?${query}`));
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
