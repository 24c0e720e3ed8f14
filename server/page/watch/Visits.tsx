import "./watch.css";
import { useState } from "react";
import type { Exchange, ShownVisit, WatchedRun } from "../routes/watchedRun.js";
import { Fold, Loaded, Rows, Button, Form, Field } from "../parts/Frame.js";
import { Value } from "../parts/Value.js";
import { makeClient, post, useMay, act } from "../parts/api.js";
import { useFetched } from "../parts/useLive.js";
import { counted, durationText, linkTo } from "../parts/words.js";

const FIRST = 40;

/** What each visit of a stage did, took, was told and replied. */
export function Visits({ run, visits }: { run: WatchedRun; visits: readonly ShownVisit[] }) {
  return (
    <Rows of={visits} first={FIRST}>
      {(some) => (
        <ol className="visits" aria-label="Visits">
          {some.map((visit) => (
            <Visit key={`${visit.checkpoint} ${visit.id}`} run={run} visit={visit} />
          ))}
        </ol>
      )}
    </Rows>
  );
}

function Visit({ run, visit }: { run: WatchedRun; visit: ShownVisit }) {
  const { stage, ms, lines, modelCalls, tokens, checkpoint } = visit;
  const asked = modelCalls > 0 ? `${counted(tokens, "token")} · ` : "";
  const summary = (
    <>
      <span className="stage">{stage}</span>
      <span className="line">{lines[0]}</span>
      <span className="muted">
        {asked}
        {ms === null ? (run.waits ? "waiting for you" : "running") : durationText(ms)}
      </span>
    </>
  );
  return (
    <li aria-current={ms === null ? "step" : undefined}>
      <Fold summary={summary}>
        <div className="visit">
          {lines.length > 1 && <p className="text long">{lines.join("\n")}</p>}
          <Exchanges visit={visit} />
          {checkpoint !== "" && <GoBack run={run} checkpoint={checkpoint} />}
        </div>
      </Fold>
    </li>
  );
}

function Exchanges({ visit: { runId, id } }: { visit: ShownVisit }) {
  const kept = useFetched<Exchange[]>(`/console/runs/${runId}/exchanges/${encodeURIComponent(id)}`);
  return (
    <Loaded of={kept}>
      {(exchanges) =>
        exchanges.map(({ model, prompt, reply, error }, at) => (
          <section key={at} aria-label="Exchange with the model">
            <p className="muted small">{model}</p>
            {[...prompt, ...reply].map(({ role, parts }, row) => (
              <details key={row} open={role === "assistant"}>
                <summary>{HEADINGS[role] ?? role}</summary>
                {parts.map(({ content, name, arguments: args }, part) =>
                  name === undefined ? (
                    <p key={part} className="text long">
                      {String(content)}
                    </p>
                  ) : (
                    <Value key={part} value={{ calls: name, with: args }} />
                  ),
                )}
              </details>
            ))}
            {error && <p className="bad">{error}</p>}
          </section>
        ))
      }
    </Loaded>
  );
}

const HEADINGS: Record<string, string> = {
  system: "Instructions",
  user: "Question",
  assistant: "Reply",
  tool: "Tool result",
};

interface State {
  values: Record<string, unknown> & { program?: { code?: string } | null };
}

type Place = { run: WatchedRun; checkpoint: string };

/** The state before a visit, and ways to go on from it. What came after stays in the thread's history. */
function GoBack({ run, checkpoint }: Place) {
  return (
    <>
      {useMay("run") && (
        <Button onClick={() => void act(() => goOn(run, checkpoint))}>Run again from here</Button>
      )}
      <Fold summary="State before this stage">
        <StateBefore run={run} checkpoint={checkpoint} />
      </Fold>
    </>
  );
}

function StateBefore({ run, checkpoint }: Place) {
  const state = useFetched<State>(`/threads/${run.threadId}/state/${checkpoint}`);
  const mayChange = useMay("admin");
  return (
    <Loaded of={state}>
      {({ values }) => (
        <>
          {mayChange && values.program?.code && (
            <ChangedProgram run={run} checkpoint={checkpoint} before={values.program.code} />
          )}
          <div className="state box">
            <Value value={filled(values)} />
          </div>
        </>
      )}
    </Loaded>
  );
}

const EMPTY = ["null", '""', "[]"];

/** Most channels are empty most of the time. */
function filled(values: object): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => !EMPTY.includes(JSON.stringify(value))),
  );
}

/** Another program in place of the model's; it is checked like any. */
function ChangedProgram({ run, checkpoint, before }: Place & { before: string }) {
  const [code, setCode] = useState(before);
  const send = async () => {
    const { checkpoint: made } = await post<{ checkpoint: { checkpoint_id: string } }>(
      `/threads/${run.threadId}/state`,
      { values: { program: { code } }, checkpoint_id: checkpoint, as_node: "writeProgram" },
    );
    return await goOn(run, made.checkpoint_id);
  };
  return (
    <Form send={() => act(send)}>
      <Field label="The program" hint="Run a different program from here. It is checked first.">
        <textarea
          className="mono"
          rows={Math.min(16, code.split("\n").length + 1)}
          spellCheck={false}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
      <Button type="submit" disabled={code === before}>
        Run this program
      </Button>
    </Form>
  );
}

/** Begins a run at a checkpoint, with the settings of the run that made it. */
async function goOn({ threadId, graph, settings }: WatchedRun, checkpoint: string) {
  const made = await makeClient().runs.create(threadId, graph, {
    input: null,
    context: settings,
    checkpointId: checkpoint,
    streamMode: ["updates"],
    streamResumable: true,
  });
  location.hash = linkTo("runs", made.run_id);
  return "Running again from here.";
}
