import { useState } from "react";
import type { WatchedRun } from "../../console/watchedRun.js";
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

type Place = { run: WatchedRun; checkpoint: string; stage: string };

/** The state before a visit, and ways to go on from it. What came after stays in the thread's history. */
export function GoBack({ run, checkpoint, stage }: Place) {
  const [isShown, setShown] = useState(false);
  const mayRun = useMay("run");
  return (
    <div className="back">
      <div className="buttons">
        <button type="button" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          The state before it
        </button>
        {mayRun && (
          <button type="button" onClick={() => void act(() => goOn({ run, checkpoint }))}>
            Run again from here
          </button>
        )}
      </div>
      {isShown && <StateBefore run={run} checkpoint={checkpoint} stage={stage} />}
    </div>
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
          <div className="state">
            <Value value={filled(values)} />
          </div>
        </>
      )}
    </Loaded>
  );
}

/** Most channels are empty most of the time. */
function filled(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isFilled(value)));
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Another program in place of the model's; it is checked like any. */
function ChangedProgram(props: {
  run: WatchedRun;
  checkpoint: string;
  program: { code?: string };
}) {
  const { run, checkpoint, program } = props;
  const [code, setCode] = useState(program.code ?? "");
  const send = async () => {
    const { threadId } = run;
    const fresh = {
      ...program,
      code,
      issues: [],
      callIds: {},
      aheadIds: {},
      origins: {},
      left: "",
    };
    const place = { checkpoint_id: checkpoint, as_node: "writeProgram" };
    const { checkpoint: made } = await post<{ checkpoint: { checkpoint_id: string } }>(
      `/threads/${threadId}/state`,
      {
        values: { program: { ...fresh, looks: {}, approved: [], skipped: [], next: "run" } },
        ...place,
      },
    );
    return await goOn({ run, checkpoint: made.checkpoint_id });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void act(send);
      }}
    >
      <Field label="The program" hint="Follow another one from here; it is checked first.">
        <textarea
          className="mono"
          rows={Math.min(16, code.split("\n").length + 1)}
          spellCheck={false}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
      <button type="submit" disabled={code === program.code}>
        Follow this program
      </button>
    </form>
  );
}

/** Begins a run at a checkpoint, with the settings of the run that made it. */
async function goOn({ run, checkpoint }: Pick<Place, "run" | "checkpoint">): Promise<string> {
  const { threadId, graph, settings } = run;
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
