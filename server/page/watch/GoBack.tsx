import { useState } from "react";
import type { WatchedRun } from "../routes/watchedRun.js";
import { Button, Form } from "../parts/Button.js";
import { Field, Fold, Loaded } from "../parts/Frame.js";
import { Value } from "../parts/Value.js";
import { get, makeClient, post } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { act } from "../parts/news.js";
import { linkTo } from "../parts/route.js";
import { useLive } from "../parts/useLive.js";

/** A state of the thread. */
interface State {
  values: Record<string, unknown> & { program?: { code?: string } | null };
}

type Place = { run: WatchedRun; checkpoint: string };

/** The state before a visit, and ways to go on from it. What came after stays in the thread's history. */
export function GoBack({ run, checkpoint }: Place) {
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
  const { threadId } = run;
  const state = useLive(`state ${threadId} ${checkpoint}`, () =>
    get<State>(`/threads/${threadId}/state/${checkpoint}`),
  );
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
