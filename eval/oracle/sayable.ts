import { codeNames } from "../../plans/codeNames.js";
import { fillArguments } from "../../plans/fillArguments.js";
import { fittedArguments } from "../../plans/fitStep.js";
import { issueLine } from "../../plans/program/faultText.js";
import { parametersOf } from "../../plans/program/functions.js";
import type { Program } from "../../plans/program/program.js";
import type { Outcome, ProgramTool, Progress } from "../../plans/program/progress.js";
import { readProgram } from "../../plans/program/readProgram.js";
import { interpretProgram } from "../../plans/program/run/interpretProgram.js";
import { checkProgramTypes } from "../../tools/compiler/index.js";
import { canonicalJson, definitionHash } from "../../tools/library/hash.js";
import { type ToolRuntime, createToolRuntime } from "../../tools/runtime/runtime.js";
import { wireNames } from "../../tools/runtime/wireNames.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { GoldCall } from "../benchmarks/benchmark.js";
import { inTemporaryFolder } from "../files.js";
import type { Solution } from "./goldSolutions.js";
import { writtenProgram } from "./writtenProgram.js";
import { DEFAULT_WORLDS } from "../../workspace/workspace.js";
import { worldsOf } from "../runs/worldsOf.js";
import type { Subject } from "./subject.js";

/** How far a gold solution came as a program: what refused it, or `calls` if it made other calls. */
export type Stage = "said" | "read" | "types" | "calls";

/** Whether a gold solution can be expressed as a program. */
export interface Verdict {
  id: string;
  stage: Stage;
  /** Why not, in one line. */
  reason?: string;
  /** What is wrong with the gold calls themselves: their tools refuse them, or do not return what they use. */
  fault?: string;
}

/**
 * Writes a gold solution as a program, reads and checks it like a model's program, runs it to its end, and compares
 * its calls with the gold ones: writes in their order, reads in any order.
 *
 * @param options.runtime makes the calls: the gold ones on one world, those of the program on another
 */
export async function saySolution(options: {
  solution: Solution;
  runtime: Pick<ToolRuntime, "runCalls">;
}): Promise<Verdict> {
  const { solution } = options;
  const { id } = solution;
  const { calls: gold, fault } = await goldCalls(options);
  const verdict = (stage: Stage, reason?: string): Verdict => ({
    id,
    stage,
    ...(reason === undefined ? {} : { reason }),
    ...(fault === undefined ? {} : { fault }),
  });
  const functions = functionsOf(solution);
  const read = readProgram(textOf(solution, functions), { functions: parametersOf(functions) });
  if ("issues" in read) return verdict("read", read.issues.map(issueLine).join("; "));
  const { program } = read;
  const issues = await checkProgramTypes({
    program,
    functions: [...functions].map(([name, { parameters, returns }]) => ({
      name,
      parameters,
      ...(returns ? { returns } : {}),
    })),
  });
  if (issues.length > 0) return verdict("types", issues.map(issueLine).join("; "));
  const { made, problem } = await programCalls({ ...options, program, functions });
  if (problem !== undefined) return verdict("calls", problem);
  if (!sameCalls({ gold, made, tools: solution.tools })) {
    return verdict("calls", `it calls ${canonicalJson(made)} and not ${canonicalJson(gold)}`);
  }
  return verdict("said");
}

/** Tools by the names under which a program calls them. */
type Functions = ReadonlyMap<string, ToolDefinition>;

function functionsOf({ tools }: Solution): Functions {
  const { byId } = wireNames({ tools: [...tools.values()] });
  const names = codeNames([...byId.values()]);
  return new Map(
    [...tools.values()].map((tool) => {
      const wireName = byId.get(tool.id) ?? tool.name;
      return [names.get(wireName) ?? wireName, tool];
    }),
  );
}

function textOf(solution: Solution, functions: Functions): string {
  const tools = [...functions].map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }));
  return writtenProgram(solution, { tools, missed: [] });
}

interface Making {
  solution: Solution;
  runtime: Pick<ToolRuntime, "runCalls">;
}

/** The gold calls with the results of earlier ones filled in. */
async function goldCalls(making: Making): Promise<{ calls: GoldCall[]; fault?: string }> {
  const { solution } = making;
  const outputs: Record<number, unknown> = {};
  const calls: GoldCall[] = [];
  let fault: string | undefined;
  for (const [step, { tool, args }] of solution.plan.steps.entries()) {
    const filled = fillArguments({ step, args, outputs, inText: String });
    if (!("args" in filled)) {
      fault ??= filled.issue.problem;
      continue;
    }
    const call = { tool, args: filled.args };
    calls.push(call);
    const outcome = await make({ ...making, call, place: `gold:${step}` });
    if ("result" in outcome) outputs[step] = outcome.result;
    if ("error" in outcome) fault ??= `${tool}: ${outcome.error}`;
  }
  const wanted = (solution.calls ?? calls).map((call) => fitted(call, solution));
  return { calls: wanted, ...(fault === undefined ? {} : { fault }) };
}

/** Makes a call on the world of the program or of the gold calls, as its place says. */
async function make(
  options: Making & { call: GoldCall; place: string },
): Promise<Exclude<Outcome, { skipped: true }>> {
  const { solution, runtime, call, place } = options;
  const tool = solution.tools.get(call.tool);
  if (!tool) return { error: "there is no such tool" };
  const [thread] = place.split(":", 1);
  const [outcome] = await runtime.runCalls({
    threadId: `${solution.id} ${thread}`,
    timeoutMs: CALL_MS,
    calls: [
      {
        id: `${solution.id} ${place}`,
        tool: { ...tool, version: 1, hash: definitionHash(tool) },
        args: call.args,
      },
    ],
  });
  if (outcome?.status === "done") return { result: outcome.result ?? null };
  return { error: outcome?.error ?? "it gave nothing" };
}

/** Milliseconds that a call may take. */
const CALL_MS = 60_000;

/** Any day: programs of gold solutions do not ask for the date. */
const TODAY = "2026-03-01";

async function programCalls(
  options: Making & { program: Program; functions: Functions },
): Promise<{ made: GoldCall[]; problem?: string }> {
  const { program, functions } = options;
  const outcomes = new Map<string, Outcome>();
  const made: GoldCall[] = [];
  const tools = [...functions].map(([name, { id, effects }]): ProgramTool => ({
    name,
    id,
    effects,
  }));
  while (true) {
    const progress = interpretProgram(program, { outcomes, looks: new Map(), today: TODAY, tools });
    if (progress.calls.length === 0) return { made, problem: problemOf(progress) };
    for (const { place, tool, args: given } of progress.calls) {
      const call = fitted({ tool: tool.id, args: given }, options.solution);
      made.push(call);
      outcomes.set(place, await make({ ...options, call, place: `program:${place}` }));
    }
  }
}

/** Fits the arguments of a call to its tool, as runs do for plans and programs. */
function fitted(call: GoldCall, { tools }: Solution): GoldCall {
  const tool = tools.get(call.tool);
  return tool ? { ...call, args: fittedArguments(tool, call.args) } : call;
}

function problemOf({ end, fault }: Progress): string | undefined {
  if (fault) return fault.problem;
  return end && !end.failed ? undefined : "it comes to no end";
}

function sameCalls(options: {
  gold: readonly GoldCall[];
  made: readonly GoldCall[];
  tools: Solution["tools"];
}): boolean {
  const { gold, made, tools } = options;
  const isRead = ({ tool }: GoldCall) => tools.get(tool)?.effects === "read";
  const reads = (calls: readonly GoldCall[]) =>
    calls
      .filter(isRead)
      .map((call) => canonicalJson(call))
      .toSorted();
  const writes = (calls: readonly GoldCall[]) => calls.filter((call) => !isRead(call));
  return (
    canonicalJson(writes(gold)) === canonicalJson(writes(made)) &&
    canonicalJson(reads(gold)) === canonicalJson(reads(made))
  );
}

/** Results up to this many characters stay whole: programs need whole results. */
const MOST_CHARACTERS = 10_000_000;

/** Expresses solutions of a benchmark as programs, with its own tools or with seeded results. */
export async function sayAll(options: {
  subject: Subject;
  solutions: readonly Solution[];
}): Promise<Verdict[]> {
  const { subject, solutions } = options;
  const worlds = (await worldsOf(subject.benchmark)) ?? DEFAULT_WORLDS;
  return await inTemporaryFolder("sayable", async (home) => {
    const runtime = createToolRuntime({ home, worlds, maxResultChars: MOST_CHARACTERS });
    try {
      const verdicts: Verdict[] = [];
      for (const solution of solutions) verdicts.push(await saySolution({ solution, runtime }));
      return verdicts;
    } finally {
      await runtime.close();
    }
  });
}
