import { useId, useRef, useState } from "react";
import { shortText } from "../parts/words.js";
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
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Your request"
        placeholder={isFirst ? "What shall be done?" : "Ask further"}
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
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit" className="main" disabled={request.trim() === ""}>
            Ask
          </button>
        )}
      </div>
    </form>
  );
}

/** What is chosen, in a line that opens; open at the beginning, where there is room. */
function Settings({ choices, isFirst }: { choices: Chosen; isFirst: boolean }) {
  const { offer, wish, shown, choose } = choices;
  const { graph } = wish;
  const chosen = (name: string) => shortText(shown[name] ?? "");
  const line = [chosen("library"), graph, chosen("model")].filter((part) => part !== "");
  return (
    <details className="settings" open={isFirst && window.innerWidth > ROOMY}>
      <summary>{line.join(" · ")}</summary>
      <div>
        <Choice
          label="Library"
          value={chosen("library")}
          options={(offer?.libraries ?? []).map((name) => [name, name])}
          choose={(value) => choose("library", value)}
        />
        <Choice
          label="Graph"
          value={graph}
          options={(offer?.graphs ?? []).map(({ id }) => [id, id])}
          choose={(value) => choose("graph", value)}
        />
        <ModelChoice
          value={chosen("model")}
          models={offer?.models ?? []}
          choose={(value) => choose("model", value)}
        />
        <Choice
          label="Ask me"
          value={chosen("approval")}
          options={APPROVALS}
          choose={(value) => choose("approval", value)}
        />
      </div>
    </details>
  );
}

function Choice(props: {
  label: string;
  value: string;
  options: [value: string, words: string][];
  choose: (value: string) => void;
}) {
  const { label, value, options, choose } = props;
  const isKnown = options.some(([name]) => name === value);
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Any model can be named; those that are there are offered. */
function ModelChoice(props: { value: string; models: string[]; choose: (value: string) => void }) {
  const { value, models, choose } = props;
  const list = useId();
  return (
    <label className="choice">
      <span>Model</span>
      <input
        type="text"
        spellCheck={false}
        list={list}
        value={value}
        onChange={({ target }) => choose(target.value)}
      />
      <datalist id={list}>
        {models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
