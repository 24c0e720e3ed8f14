import { useState } from "react";
import type { Tried, WholeTool } from "../routes/libraryRoutes.js";
import { SchemaCard } from "../approve/SchemaForm.js";
import { Code } from "../parts/Code.js";
import { Loaded } from "../parts/Frame.js";
import { Value } from "../parts/Value.js";
import { messageOf, post, useMay } from "../parts/api.js";
import { linkTo, durationText } from "../parts/words.js";
import { useFetched } from "../parts/useLive.js";

/** One tool: what it does, what the model is told of it, and what it gives. */
export function ToolCard({ library, tool: id }: { library: string; tool: string }) {
  const query = `${encodeURIComponent(id)}?library=${encodeURIComponent(library)}`;
  const tool = useFetched<WholeTool>(`/console/tools/${query}`);
  const mayRun = useMay("run");
  return (
    <Loaded of={tool}>
      {(shown) => (
        <>
          <p>
            <a href={linkTo("library", library)}>Back to {library}</a>
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
          <Code code={shown.declaration} label="Declaration" />
          {shown.mayBeTried && mayRun && <Trial library={library} tool={shown} />}
          {!shown.mayBeTried && (
            <p className="muted">
              It cannot be tried here, because it may change something or needs consent.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Trial({ library, tool }: { library: string; tool: WholeTool }) {
  const [tried, setTried] = useState<Partial<Tried>>();
  const call = async (args: object) => {
    try {
      setTried(await post<Tried>("/console/try", { library, tool: tool.id, args }));
    } catch (error) {
      setTried({ error: messageOf(error) });
    }
  };
  return (
    <>
      <h3>Try it</h3>
      <SchemaCard schema={tool.parameters} words="Call it" send={(args) => void call(args)} />
      <div aria-live="polite">
        {tried?.error !== undefined && <p className="notice bad">{tried.error}</p>}
        {tried && tried.error === undefined && (
          <div className="card box tried">
            <Value value={tried.result} />
            <p className="muted small">{durationText(tried.ms ?? 0)}</p>
          </div>
        )}
      </div>
    </>
  );
}
