/*
 * Ask: a conversation on a thread. LangGraph's `useStream` starts runs, streams them and joins them again after a
 * reload; what is shown comes from the server (`/console/runs`), so that every tab and every client sees the same.
 *
 * AskView   the conversation and its composer
 * Turn      a request with all that was done for it, and its answer
 * Composer  where one asks, and with which library, graph, model and approval
 */
import "./ask.css";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useEffect, useRef, useState } from "react";
import type { ShownRun } from "../routes/watchedRun.js";
import { Loaded, useTitle, isOpen, Button } from "../parts/Frame.js";
import { get, makeClient, messageOf, useMay, tell } from "../parts/api.js";
import { linkTo } from "../parts/words.js";
import { useFetched, useLive } from "../parts/useLive.js";
import { Composer } from "./Composer.js";
import { Turn, WaitingTurn } from "./Turn.js";
import { EXAMPLE, type Wish, hasExamples, useChoices } from "./choices.js";

/** How often the runs of a thread are looked at: while one is at work, and otherwise, for those of other clients (ms). */
const BUSY_MS = 1000;
const IDLE_MS = 5000;

/** The landing view. */
export function AskView({ rest: [threadId = ""] }: { rest: string[] }) {
  const runs = useLive(
    `runs of ${threadId}`,
    () => runsOf(threadId),
    (all) => (all.some(isOpen) ? BUSY_MS : IDLE_MS),
  );
  const turns = runs.value ?? [];
  const last = turns.at(-1);
  const conversation = useConversation(threadId, runs.reload);
  const { asked, isStreaming, tick } = conversation;
  const isAsked = asked !== undefined && asked.turns >= turns.length;
  const isBusy = isStreaming || isAsked || (last !== undefined && isOpen(last));
  useTitle(turns[0]?.request.slice(0, 60) ?? "Ask");
  const end = useFollowedEnd(`${turns.length} ${isAsked} ${tick}`);
  const choices = useChoices(last);
  const mayRun = useMay("run");
  const ask = (wish: Wish) => conversation.ask({ ...wish, turns: turns.length });
  const stop = () => void conversation.stop(last && isOpen(last) ? last : undefined);
  return (
    <div className="ask">
      {threadId === "" && !isAsked ? (
        <Welcome
          hasExamples={choices.offer !== undefined && hasExamples(choices.offer)}
          ask={(request) => ask({ ...choices.wish, ...EXAMPLE, request })}
        />
      ) : (
        <ol className="turns" aria-label="Conversation">
          {turns.map((turn, at) => (
            <Turn
              key={turn.requestId}
              turn={turn}
              isLast={at === turns.length - 1}
              tick={at === turns.length - 1 ? tick : 0}
              again={(request, checkpoint) => ask({ ...choices.wish, request, checkpoint })}
              changed={runs.reload}
            />
          ))}
          {isAsked && <WaitingTurn request={asked.request} />}
        </ol>
      )}
      <Loaded of={runs}>{() => null}</Loaded>
      <div ref={end} />
      {mayRun ? (
        <Composer
          choices={choices}
          isBusy={isBusy}
          isFirst={threadId === ""}
          ask={ask}
          stop={stop}
        />
      ) : (
        <p className="notice">This key can view conversations, but asking needs the run scope.</p>
      )}
    </div>
  );
}

async function runsOf(threadId: string): Promise<ShownRun[]> {
  if (threadId === "") return [];
  const runs = await get<ShownRun[]>(
    `/console/runs?limit=100&thread=${encodeURIComponent(threadId)}`,
  );
  return runs.toReversed();
}

function useConversation(threadId: string, changed: () => void) {
  const [client] = useState(makeClient);
  const [graph, setGraph] = useState(EXAMPLE.graph);
  const [tick, setTick] = useState(0);
  const [asked, setAsked] = useState<{ request: string; turns: number }>();
  const happened = () => {
    setTick((before) => before + 1);
    changed();
  };
  const failed = (error: unknown) => {
    setAsked(undefined);
    tell(messageOf(error), true);
    happened();
  };
  const stream = useStream({
    client,
    assistantId: graph,
    threadId: threadId || null,
    onThreadId: (id) => location.replace(linkTo("ask", id)),
    reconnectOnMount: true,
    throttle: true,
    onCreated: changed,
    onUpdateEvent: happened,
    onError: failed,
    onFinish: happened,
  });
  const submit = useRef(stream.submit);
  submit.current = stream.submit;
  const [wish, setWish] = useState<Wish>();
  useEffect(() => {
    // Submitted once the stream knows the graph.
    if (!wish || wish.graph !== graph) return;
    const { request, context, checkpoint } = wish;
    setWish(undefined);
    const place = { checkpoint_id: checkpoint, checkpoint_ns: "", checkpoint_map: null };
    const from = checkpoint ? { checkpoint: place } : {};
    void submit.current({ request }, { context, ...from, onDisconnect: "continue" });
  }, [wish, graph]);
  return {
    tick,
    asked,
    isStreaming: stream.isLoading,
    ask: (given: Wish & { turns: number }) => {
      tell("");
      setAsked(given);
      setGraph(given.graph);
      setWish(given);
    },
    stop: async (run: ShownRun | undefined) => {
      setAsked(undefined);
      await stream.stop();
      if (run) await client.runs.cancel(run.threadId, run.runId).catch(failed);
      happened();
    },
  };
}

/** Keeps the end of the conversation in sight as it grows, unless the reader has scrolled up. */
function useFollowedEnd(grown: string) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    const isNear = scrollHeight - scrollTop - clientHeight < 400;
    if (isNear) end.current?.scrollIntoView({ block: "end" });
  }, [grown]);
  return end;
}

/** Requests that the library which ships and the built-in rules solve, without a key. */
const EXAMPLES = [
  "What is 3 times 4?",
  "What is 45342 * 23487 + 32478?",
  "What is the area of a circle with radius 3?",
];

/** What one sees before the first request. */
export function Welcome(props: { hasExamples: boolean; ask: (request: string) => void }) {
  const { hasExamples: isTried, ask } = props;
  return (
    <section className="welcome" aria-labelledby="welcome">
      <h1 id="welcome">What would you like to do?</h1>
      <p className="lead">
        tulipgraph finds the tools that a request needs, writes a small program that uses them, and
        runs it call by call. You see every value on its way to the answer, and you decide on every
        write.
      </p>
      {isTried && (
        <>
          <p className="muted" id="examples">
            Try one of these. They need no API key: built-in rules answer them with the math
            library.
          </p>
          <ul className="examples" aria-labelledby="examples">
            {EXAMPLES.map((request) => (
              <li key={request}>
                <Button onClick={() => ask(request)}>{request}</Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Earlier />
    </section>
  );
}

/** Runs of which the latest conversations are, and how many of these are shown. */
const LATEST_RUNS = 50;
const MOST_SHOWN = 8;

/** The latest conversations, each by what was asked first. */
function Earlier() {
  const runs = useFetched<ShownRun[]>(`/console/runs?limit=${LATEST_RUNS}`).value ?? [];
  // An older run of a thread takes the place of a newer one, and its thread stays where it was.
  const first = new Map(runs.filter(({ request }) => request).map((run) => [run.threadId, run]));
  if (first.size === 0) return null;
  return (
    <>
      <p className="muted" id="earlier">
        Earlier conversations
      </p>
      <ul className="earlier" aria-labelledby="earlier">
        {[...first.values()].slice(0, MOST_SHOWN).map(({ threadId, request }) => (
          <li key={threadId}>
            <a href={linkTo("ask", threadId)}>{request}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
