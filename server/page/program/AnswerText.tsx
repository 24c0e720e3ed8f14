import { useContext, useMemo } from "react";
import type { WatchedRun } from "../routes/watchedRun.js";
import { Button } from "../parts/Button.js";
import { badgeOf } from "../parts/RunBadge.js";
import { shortText } from "../parts/words.js";
import { LitContext } from "./lit.js";
import { partsOf } from "./origins.js";

/** The answer. Pointing at a value shows the call that gave it. */
export function AnswerText({ run }: { run: WatchedRun }) {
  const { answer, calls } = run;
  const { lit, light } = useContext(LitContext);
  const parts = useMemo(() => partsOf(answer, calls), [answer, calls]);
  const byId = useMemo(() => new Map(calls.map((call) => [call.id, call])), [calls]);
  const { kind } = badgeOf(run);
  return (
    <div className={`answer ${kind === "bad" ? "bad" : ""}`}>
      {parts.map(({ text, call }, at) => {
        const source = call === undefined ? undefined : byId.get(call);
        if (!source) return <span key={at}>{text}</span>;
        return (
          <Button
            key={at}
            className={`from ${lit === call ? "lit" : ""}`}
            title={`From ${source.tool}(${shortText(source.args, 80)})`}
            aria-label={`${text}, from ${source.tool}`}
            onPointerEnter={() => light(call)}
            onPointerLeave={() => light(undefined)}
            onFocus={() => light(call)}
            onBlur={() => light(undefined)}
            onClick={() => showCall(source.id)}
          >
            {text}
          </Button>
        );
      })}
    </div>
  );
}

/** Brings a call into view. */
function showCall(id: string): void {
  const row = [...document.querySelectorAll<HTMLElement>("[data-call]")].find(
    ({ dataset }) => dataset["call"] === id,
  );
  row?.closest("details")?.setAttribute("open", "");
  row?.scrollIntoView({ block: "center", behavior: "smooth" });
}
