import { useState } from "react";
import type { Tried, WholeTool } from "../../console/libraryRoutes.js";
import { SchemaForm } from "../approve/SchemaForm.js";
import { Code } from "../parts/Code.js";
import { Loaded } from "../parts/Frame.js";
import { Value } from "../parts/Value.js";
import { get, messageOf, post } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";
import { durationText } from "../parts/words.js";

/** One tool: what it does, what the model is told of it, and what it gives. */
export function ToolCard({ library, tool: id }: { library: string; tool: string }) {
  const query = `${encodeURIComponent(id)}?library=${encodeURIComponent(library)}`;
  const tool = useLive(`tool ${query}`, () => get<WholeTool>(`/console/tools/${query}`));
  const mayRun = useMay("run");
  return (
    <Loaded of={tool}>
      {(shown) => (
        <article className="tool-card">
          <p>
            <a href={linkTo("library", library)}>All of {library}</a>
          </p>
          <h2>
            {shown.name}{" "}
            <span className={`kind ${shown.writes ? "write" : "read"}`}>
              {shown.writes ? "writes" : "reads"}
            </span>
          </h2>
          <p className="text long">{shown.description}</p>
          <p className="muted small">
            Version {shown.version} · from {shown.origin}
          </p>
          <h3>As the model sees it</h3>
          <Code code={shown.declaration} label="The declaration" />
          {shown.mayBeTried && mayRun && <Trial library={library} tool={shown} />}
          {!shown.mayBeTried && (
            <p className="muted">
              It cannot be tried here: it may change something, or wants consent.
            </p>
          )}
        </article>
      )}
    </Loaded>
  );
}

function Trial({ library, tool }: { library: string; tool: WholeTool }) {
  const [args, setArgs] = useState<unknown>({});
  const [tried, setTried] = useState<Tried | { error: string }>();
  const [isBusy, setBusy] = useState(false);
  const call = async () => {
    setBusy(true);
    try {
      setTried(await post<Tried>("/console/try", { library, tool: tool.id, args }));
    } catch (error) {
      setTried({ error: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try it</h3>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        <SchemaForm
          schema={tool.parameters}
          value={args}
          wanted={undefined}
          isFixed={false}
          change={setArgs}
        />
        <div className="buttons">
          <button type="submit" className="main" disabled={isBusy}>
            Call it
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {tried?.error !== undefined && <p className="notice bad">{tried.error}</p>}
        {tried && "status" in tried && tried.error === undefined && (
          <div className="tried">
            <Value value={tried.result} />
            <p className="muted small">{durationText(tried.ms)}</p>
          </div>
        )}
      </div>
    </section>
  );
}
