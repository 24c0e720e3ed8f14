import { useEffect, useId, useRef, useState } from "react";
import { Button, Form, Choice } from "../parts/Frame.js";
import { APPROVALS, type Chosen, type Wish } from "./choices.js";

/** Where one asks. Enter sends, with Shift it begins a line. */
export function Composer(props: {
  choices: Chosen;
  /** It is known what is usual, and what this conversation was begun with. */
  isKnown: boolean;
  isBusy: boolean;
  isFirst: boolean;
  ask: (wish: Wish) => void;
  stop: () => void;
}) {
  const { choices, isKnown, isBusy, isFirst, ask, stop } = props;
  const [request, setRequest] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  // Sent once the choices are known, on which it depends what is asked.
  const [isSent, setSent] = useState(false);
  const send = () => setSent(!isBusy && request.trim() !== "");
  useEffect(() => {
    if (!isSent || !isKnown) return;
    ask({ ...choices.wish, request: request.trim() });
    setSent(false);
    setRequest("");
    field.current?.focus();
  }, [isSent, isKnown]);
  const lines = Math.min(8, Math.max(isFirst ? 2 : 1, request.split("\n").length));
  return (
    <Form className={`composer ${isFirst ? "first" : ""}`} send={send}>
      <textarea
        ref={field}
        aria-label="Your request"
        placeholder={isFirst ? "Describe a task, or ask a question" : "Ask a follow-up"}
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
      <Presets choices={choices} />
      <div className="composer-foot">
        {/* Folded again after the first request. */}
        {choices.offer && <Settings key={String(isFirst)} choices={choices} />}
        {isBusy ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button type="submit" kind="main" disabled={isSent || request.trim() === ""}>
            Ask
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Ways to ask, each with a sentence; which one holds is seen, and none if other settings were chosen. */
function Presets({ choices }: { choices: Chosen }) {
  const { presets, preset: held, take } = choices;
  const id = useId();
  if (presets.length === 0) return null;
  return (
    <div className="presets small" role="radiogroup" aria-label="How to answer">
      {presets.map((preset, at) => (
        <label key={preset.name}>
          <input
            type="radio"
            name={id}
            aria-describedby={id + at}
            checked={preset.name === held?.name}
            onChange={() => take(preset)}
          />
          {preset.name}
        </label>
      ))}
      {presets.map(({ name, about }, at) => (
        <p key={name} id={id + at} className="muted" hidden={name !== held?.name}>
          {about}
        </p>
      ))}
    </div>
  );
}

const LABELS = { library: "Library", graph: "Graph", model: "Model", approval: "Ask me" };

/** What is chosen, in a line that opens; open where there are no presets. Any model can be named. */
function Settings({ choices }: { choices: Chosen }) {
  const { offer, wish, shown, presets, preset, choose } = choices;
  const chosen = { ...shown, graph: wish.graph } as Record<keyof typeof LABELS, string | undefined>;
  const line = ["Options", chosen.library, !preset && chosen.graph, chosen.model].filter(Boolean);
  const options = {
    library: offer?.libraries ?? [],
    graph: (offer?.graphs ?? []).map(({ id }) => id),
    model: offer?.models ?? [],
    approval: APPROVALS,
  };
  return (
    <details className="settings small" open={presets.length === 0}>
      <summary className="muted">{line.join(" · ")}</summary>
      <div>
        {(["library", "graph", "model", "approval"] as const).map((name) => (
          <Choice
            key={name}
            label={LABELS[name]}
            value={chosen[name] ?? ""}
            options={options[name]}
            isOpen={name === "model"}
            choose={(value) => choose({ [name]: value })}
          />
        ))}
      </div>
      <p className="muted">{offer?.graphs.find(({ id }) => id === chosen.graph)?.summary}</p>
    </details>
  );
}
