import { Button } from "../parts/Frame.js";
import { useFetched } from "../parts/useLive.js";
import { linkTo } from "../parts/words.js";
import type { ShownRun } from "../routes/watchedRun.js";
import type { Chosen } from "./choices.js";

/** What one sees before the first request. */
export function Welcome() {
  return (
    <section>
      <h1>What would you like to do?</h1>
      <p className="lead">
        tulipgraph finds the tools that a request needs, writes a short program with them, and shows
        every value on its way to the answer.
      </p>
    </section>
  );
}

/** Requests that the chosen library can answer, and the latest conversations. @param props.ask absent without the scope */
export function Starters(props: { choices: Chosen; ask: ((request: string) => void) | undefined }) {
  const { ask, choices } = props;
  const { offer, shown } = choices;
  const library = String(shown["library"]);
  const examples = offer?.examples[library] ?? [];
  const isOffline = offer?.offline === shown["model"];
  return (
    <section>
      {ask && examples.length > 0 && (
        <>
          <p className="muted" id="examples">
            Examples for {library}
            {isOffline && ", which need no API key: built-in rules answer them"}
          </p>
          <ul className="examples" aria-labelledby="examples">
            {examples.map((request) => (
              <li key={request}>
                <Button onClick={() => ask(request)}>{request}</Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {ask && offer && examples.length === 0 && (
        <p className="muted">
          <a href={linkTo("library", library)}>See the tools of {library}</a>
        </p>
      )}
      <Earlier />
    </section>
  );
}

/** Runs of which the latest conversations are, and how many of these are shown. */
const LATEST_RUNS = 50;
const MOST_SHOWN = 8;

/** The latest conversations, each by what was asked first. */
function Earlier() {
  const runs = useFetched<ShownRun[]>(`/console/runs?limit=${LATEST_RUNS}`).value ?? [];
  // An older run of a thread takes the place of a newer one, and its thread stays where it was.
  const first = new Map(runs.filter(({ request }) => request).map((run) => [run.threadId, run]));
  if (first.size === 0) return null;
  return (
    <>
      <p className="muted" id="earlier">
        Earlier conversations
      </p>
      <ul className="earlier" aria-labelledby="earlier">
        {[...first.values()].slice(0, MOST_SHOWN).map(({ threadId, request }) => (
          <li key={threadId}>
            <a href={linkTo("ask", threadId)}>{request}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
