import { useRef, useState } from "react";
import { Button, Form, Choice } from "../parts/Frame.js";
import { APPROVALS, type Chosen, type Wish } from "./choices.js";

/** In a narrower window (px), settings are folded. */
const ROOMY = 900;

/** Where one asks. Enter sends, with Shift it begins a line. */
export function Composer(props: {
  choices: Chosen;
  isBusy: boolean;
  isFirst: boolean;
  ask: (wish: Wish) => void;
  stop: () => void;
}) {
  const { choices, isBusy, isFirst, ask, stop } = props;
  const [request, setRequest] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (request.trim() === "" || isBusy) return;
    ask({ ...choices.wish, request: request.trim() });
    setRequest("");
    field.current?.focus();
  };
  const lines = Math.min(8, Math.max(isFirst ? 2 : 1, request.split("\n").length));
  return (
    <Form className="composer" send={send}>
      <textarea
        ref={field}
        aria-label="Your request"
        placeholder={isFirst ? "What would you like to do?" : "Ask a follow-up"}
        rows={lines}
        autoFocus
        value={request}
        onChange={({ target }) => setRequest(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="composer-foot">
        <Settings choices={choices} isFirst={isFirst} />
        {isBusy ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button type="submit" kind="main" disabled={request.trim() === ""}>
            Ask
          </Button>
        )}
      </div>
    </Form>
  );
}

const LABELS = { library: "Library", graph: "Graph", model: "Model", approval: "Ask me" };

/** What is chosen, in a line that opens; open at the beginning, where there is room. Any model can be named. */
function Settings({ choices, isFirst }: { choices: Chosen; isFirst: boolean }) {
  const { offer, wish, shown, choose } = choices;
  const chosen = { ...shown, graph: wish.graph } as Record<keyof typeof LABELS, string | undefined>;
  const line = [chosen.library, chosen.graph, chosen.model].filter(Boolean);
  const options = {
    library: offer?.libraries ?? [],
    graph: (offer?.graphs ?? []).map(({ id }) => id),
    model: offer?.models ?? [],
    approval: APPROVALS,
  };
  return (
    <details className="settings small" open={isFirst && window.innerWidth > ROOMY}>
      <summary className="muted">{line.join(" · ")}</summary>
      <div>
        {(["library", "graph", "model", "approval"] as const).map((name) => (
          <Choice
            key={name}
            label={LABELS[name]}
            value={chosen[name] ?? ""}
            options={options[name]}
            isOpen={name === "model"}
            choose={(value) => choose(name, value)}
          />
        ))}
      </div>
      <p className="muted">{offer?.graphs.find(({ id }) => id === chosen.graph)?.summary}</p>
    </details>
  );
}
