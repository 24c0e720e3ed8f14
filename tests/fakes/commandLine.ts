/**
 * The command line as a program of its own, for tests that end it, signal it or run several at once.
 * Beside the project's own models it knows the word embeddings of `TEST_LIBRARY` and the model
 * `fake:child`, which answers as the JSON file in TULIPGRAPH_TEST_SCRIPT says.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { main } from "../../cli/main.js";
import type { Stage } from "../../nodes/kit/stageInputs.js";
import { type Question, type Reply, scriptedModel } from "./scriptedModel.js";
// Registers the embeddings of TEST_LIBRARY.
// oxlint-disable-next-line import/no-unassigned-import
import "./testLibrary.js";

/**
 * What `fake:child` answers. It depends on what the model is shown and not on how often it was asked,
 * so that a process that resumes a run goes on where the one before it stopped.
 */
export interface ChildScript {
  subtasks: string[];
  searches: { subtask: number; phrase: string }[];
  /** The reply of `act` after no observation, after one, and so on. */
  act: Reply[];
  /** The plan that `compose` writes. */
  plan?: object;
  /** The program that it writes where one is asked for. */
  program?: string;
  /** In a search over steps: the reply after so many observations of the branch and tries at the point. */
  steps?: Record<string, Reply>;
  /** The process ends itself with SIGKILL instead of answering the question of this number, from 1. */
  killAtQuestion?: number;
  /** Takes one JSON line for each question: `{ stage, observations }`. */
  log: string;
  /** The process ends itself with SIGKILL when this stage asks, after so many observations. */
  killAt?: { stage: Stage; observations: number };
  /** Milliseconds that each reply takes. */
  delayMs?: number;
  /**
   * Questions of a process from this number on, from 1, are answered once the file `gate` is there.
   * A file `<gate>.waiting` says that it has come to the first of them.
   */
  hold?: { from: number; gate: string };
}

/** A line of the log. */
export interface LoggedQuestion {
  stage: Stage;
  observations: unknown[];
}

/** Questions that this process has put to the model. */
let asked = 0;

const scriptFile = process.env["TULIPGRAPH_TEST_SCRIPT"];
if (scriptFile) {
  const script = JSON.parse(readFileSync(scriptFile, "utf8")) as ChildScript;
  scriptedModel((question) => answer(script, question), "child");
}
process.exitCode = await main(process.argv.slice(2));

async function answer(script: ChildScript, question: Question): Promise<Reply> {
  asked += 1;
  const number = asked;
  if (script.killAtQuestion === number) process.kill(process.pid, "SIGKILL");
  const observations = question.stage === "act" ? question.input.observations : [];
  const { stage } = question;
  const { killAt } = script;
  if (killAt?.stage === stage && killAt.observations === observations.length) {
    process.kill(process.pid, "SIGKILL");
  }
  // A thread that only waits would hear of no signal.
  if (script.delayMs) await pause(script.delayMs);
  if (script.hold && number >= script.hold.from) {
    writeFileSync(`${script.hold.gate}.waiting`, "");
    await opening(script.hold.gate);
  }
  appendFileSync(script.log, `${JSON.stringify({ stage, observations })}\n`);
  if (stage === "writeProgram") return { text: script.program ?? "" };
  if (stage === "compose") return { text: JSON.stringify(script.plan) };
  if (stage === "decompose") return { subtasks: script.subtasks };
  if (stage === "phraseSearch") return { searches: script.searches };
  if (question.stage === "act" && question.input.search) {
    const tries = question.input.search.attempts.length;
    return script.steps?.[`${observations.length}/${tries}`] ?? { giveUp: "Nothing else." };
  }
  if (stage === "summarize") return { text: JSON.stringify({ answer: "What was found." }) };
  return script.act[observations.length] ?? { text: "" };
}

/** Looks after a pause at the least, so that a signal that was sent before the gate opened is heard first. */
async function opening(gate: string): Promise<void> {
  do await pause(20);
  while (!existsSync(gate));
}
