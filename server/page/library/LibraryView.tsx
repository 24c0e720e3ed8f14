/*
 * Library: what agents can find, why they find it, and what a tool gives.
 *
 * LibraryView  a library with its groups, a search, and what waits for review
 * ToolList     tools of a group, or all of them
 * ToolCard     one tool as the model sees it, with a form to try a read
 */
import "./library.css";
import { useState } from "react";
import type { Choices, ShownLibrary, ShownSearch } from "../../console/libraryRoutes.js";
import { Frame, Loaded } from "../parts/Frame.js";
import { get } from "../parts/api.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";
import { counted } from "../parts/words.js";
import { ToolCard } from "./ToolCard.js";
import { ToolList } from "./ToolList.js";
import { Withheld } from "./Withheld.js";

/** `#library/NAME`, `#library/NAME/tool/ID`. */
export function LibraryView({ rest: [name, what, tool] }: { rest: string[] }) {
  const offer = useLive("choices", () => get<Choices>("/console/choices"));
  return (
    <Frame title="Library">
      <Loaded of={offer}>
        {({ libraries, usual }) => {
          const shown = name || (libraries.includes(usual.library) ? usual.library : libraries[0]);
          if (shown === undefined)
            return (
              <p className="empty">
                There is no library yet. Import tools with tulipgraph tools import.
              </p>
            );
          return (
            <>
              <label className="choice">
                <span>Library</span>
                <select
                  value={shown}
                  onChange={({ target }) => void (location.hash = linkTo("library", target.value))}
                >
                  {libraries.map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
              </label>
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
  const library = useLive(`library ${name}`, () =>
    get<ShownLibrary>(`/console/library?library=${encodeURIComponent(name)}`),
  );
  const [group, setGroup] = useState<string>();
  return (
    <Loaded of={library}>
      {({ description, size, revision, groups, origins, withheld }) => (
        <>
          <div>
            <p className="lead">{description}.</p>
            <p className="muted small">
              {counted(size, "tool")} · revision {revision} · from{" "}
              {counted(origins.length, "source")}
            </p>
          </div>
          <Search library={name} />
          {withheld.length > 0 && <Withheld withheld={withheld} library={name} />}
          <h2>Tools</h2>
          {groups.length > 0 && (
            <div className="filters" role="group" aria-label="Groups">
              <button
                type="button"
                aria-pressed={group === undefined}
                onClick={() => setGroup(undefined)}
              >
                All
              </button>
              {groups.slice(0, 60).map(({ name: each, size: count, about }) => (
                <button
                  key={each}
                  type="button"
                  title={about}
                  aria-pressed={group === each}
                  onClick={() => setGroup(each)}
                >
                  {each} <span className="muted">{count}</span>
                </button>
              ))}
            </div>
          )}
          <ToolList key={group} library={name} group={group} />
        </>
      )}
    </Loaded>
  );
}

/** What an agent would find, and why. */
function Search({ library }: { library: string }) {
  const [phrase, setPhrase] = useState("");
  const [sought, setSought] = useState("");
  return (
    <section aria-labelledby="search">
      <h2 id="search">What would an agent find?</h2>
      <form
        className="search"
        onSubmit={(event) => {
          event.preventDefault();
          setSought(phrase.trim());
        }}
      >
        <input
          type="search"
          aria-label="What is to be done"
          placeholder="What is to be done"
          value={phrase}
          onChange={({ target }) => setPhrase(target.value)}
        />
        <button type="submit" className="main" disabled={phrase.trim() === ""}>
          Search
        </button>
      </form>
      {sought !== "" && <Found library={library} phrase={sought} />}
    </section>
  );
}

function Found({ library, phrase }: { library: string; phrase: string }) {
  const query = `library=${encodeURIComponent(library)}&phrase=${encodeURIComponent(phrase)}`;
  const found = useLive(`search ${query}`, () => get<ShownSearch>(`/console/search?${query}`));
  return (
    <Loaded of={found}>
      {({ hits, unsure }) => (
        <>
          {unsure && (
            <p className="notice">
              Nothing is near enough for an agent
              {hits.length > 0 ? "; these are only the nearest." : "."}
            </p>
          )}
          <ol className="hits">
            {hits.map(({ tool, description, writes, distance, words }) => (
              <li key={tool}>
                <h3>
                  <a href={linkTo("library", library, "tool", tool)}>{tool}</a>{" "}
                  {writes && <span className="kind write">writes</span>}
                </h3>
                <p>{description}</p>
                <p className="muted small">
                  Distance {distance.toFixed(2)} of 2
                  {words.length > 0 && ` · shares the words ${words.join(", ")}`}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  );
}
