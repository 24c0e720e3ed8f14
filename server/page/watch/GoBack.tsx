import { useState } from "react";
import type { WatchedRun } from "../../console/watchedRun.js";
import { Button, Form } from "../parts/Button.js";
import { Field, Loaded } from "../parts/Frame.js";
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
  const [isShown, setShown] = useState(false);
  const mayRun = useMay("run");
  return (
    <>
      <div className="buttons">
        <Button onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          The state before it
        </Button>
        {mayRun && (
          <Button onClick={() => void act(() => goOn(run, checkpoint))}>Run again from here</Button>
        )}
      </div>
      {isShown && <StateBefore run={run} checkpoint={checkpoint} />}
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
            <ChangedProgram run={run} checkpoint={checkpoint} program={values.program} />
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

/** Of a program that nobody has followed yet. */
const UNFOLLOWED = {
  issues: [],
  callIds: {},
  aheadIds: {},
  origins: {},
  looks: {},
  approved: [],
  skipped: [],
  left: "",
  next: "run",
};

/** Another program in place of the model's; it is checked like any. */
function ChangedProgram({ run, checkpoint, program }: Place & { program: { code?: string } }) {
  const [code, setCode] = useState(program.code ?? "");
  const send = async () => {
    const { checkpoint: made } = await post<{ checkpoint: { checkpoint_id: string } }>(
      `/threads/${run.threadId}/state`,
      {
        values: { program: { ...program, ...UNFOLLOWED, code } },
        checkpoint_id: checkpoint,
        as_node: "writeProgram",
      },
    );
    return await goOn(run, made.checkpoint_id);
  };
  return (
    <Form send={() => act(send)}>
      <Field label="The program" hint="Follow another one from here; it is checked first.">
        <textarea
          className="mono"
          rows={Math.min(16, code.split("\n").length + 1)}
          spellCheck={false}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
      <Button type="submit" disabled={code === program.code}>
        Follow this program
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
  return "It runs again from here.";
}
