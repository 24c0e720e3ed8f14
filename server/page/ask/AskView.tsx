/*
 * Ask: a conversation on a thread. LangGraph's `useStream` starts runs, streams them and joins them again after a
 * reload; what is shown comes from the server (`/console/runs`), so that every tab and every client sees the same.
 */
import "./ask.css";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useEffect, useRef, useState } from "react";
import type { ShownRun } from "../routes/watchedRun.js";
import { Loaded, useTitle, isOpen } from "../parts/Frame.js";
import { get, makeClient, messageOf, useMay, tell } from "../parts/api.js";
import { linkTo } from "../parts/words.js";
import { useLive } from "../parts/useLive.js";
import { Composer } from "./Composer.js";
import { Turn, WaitingTurn } from "./Turn.js";
import { Starters, Welcome } from "./Welcome.js";
import { type Wish, useChoices } from "./choices.js";

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
  const isFirst = threadId === "" && !isAsked;
  const isBusy = isStreaming || isAsked || (last !== undefined && isOpen(last));
  useTitle(turns[0]?.request.slice(0, 60) ?? "Ask");
  const end = useFollowedEnd(`${turns.length} ${isAsked} ${tick}`);
  const choices = useChoices(last);
  const isKnown = choices.offer !== undefined && (threadId === "" || runs.value !== undefined);
  const mayRun = useMay("run");
  const ask = (wish: Wish) => conversation.ask({ ...wish, turns: turns.length });
  const stop = () => void conversation.stop(last && isOpen(last) ? last : undefined);
  return (
    <div className={`ask ${isFirst ? "first" : ""}`}>
      {isFirst ? (
        <Welcome />
      ) : (
        <>
          <a className="small" href={linkTo("ask")}>
            New conversation
          </a>
          {!isAsked && <Loaded of={runs}>{() => null}</Loaded>}
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
          <div ref={end} />
        </>
      )}
      {mayRun ? (
        <Composer {...{ choices, isKnown, isBusy, isFirst, ask, stop }} />
      ) : (
        <p className="notice">This key can view conversations, but asking needs the run scope.</p>
      )}
      {isFirst && (
        <Starters
          choices={choices}
          ask={mayRun ? (request) => ask({ ...choices.wish, request }) : undefined}
        />
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
  const [graph, setGraph] = useState("");
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
