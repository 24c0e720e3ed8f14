import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import quickJs from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
  type QuickJSHandle,
} from "quickjs-emscripten-core";
import type { SandboxLimits } from "../functions/workerMessages.js";
import type { FailureKind, ProgramEnd, ToolAnswer } from "./sandbox.js";
import { GUEST } from "./guest.js";

// The types describe the CommonJS build, where this would be the enclosing module.
const variant = quickJs as unknown as QuickJSSyncVariant;

/** An empty JavaScript engine with the guest in it, thrown away after one call. */
export interface Engine {
  context: QuickJSContext;
  guest: Guest;
  /** Whether its memory has reached its limit. */
  isFull(): boolean;
}

const PAGE = 65_536;

/** The least that QuickJS's module accepts, in pages. */
const FIRST_PAGES = 256;

/**
 * Part of the module's 1 MB stack; deeper calls are an error that the program sees. Enough for about 3,000
 * nested calls of a small function.
 */
const STACK_BYTES = 512 * 1_024;

let compiled: WebAssembly.Module | undefined;

/**
 * Makes an engine. The module is compiled once, but each engine is a new instance with empty memory, so nothing is left
 * from one call to the next. Engines take turns with the memory, so no call may be running in another engine.
 *
 * The memory's maximum bounds a program. QuickJS's own limit does not, because it misses some allocations.
 */
export async function newEngine({ memoryMb, resultChars }: SandboxLimits): Promise<Engine> {
  const module = (compiled ??= compile());
  const maximum = Math.max(FIRST_PAGES, Math.floor((memoryMb * 2 ** 20) / PAGE));
  const wasmMemory = emptyMemory(maximum);
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmMemory,
      emscriptenModule: {
        instantiateWasm(imports, onSuccess) {
          const instance = new WebAssembly.Instance(module, imports);
          onSuccess(instance);
          return instance.exports;
        },
      },
    }),
  );
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  return {
    context,
    guest: loadGuest(context, resultChars),
    // A request for more than is left fails before the last page is used.
    isFull: () => wasmMemory.buffer.byteLength > (maximum * PAGE) / 2,
  };
}

let memory: { of: WebAssembly.Memory; maximum: number } | undefined;

/**
 * An empty memory: the last one filled with zeros, unless it has grown. Filling is faster than collecting the
 * garbage of new ones.
 */
function emptyMemory(maximum: number): WebAssembly.Memory {
  const isAsNew = memory?.maximum === maximum && memory.of.buffer.byteLength === FIRST_PAGES * PAGE;
  if (memory !== undefined && isAsNew) new Uint8Array(memory.of.buffer).fill(0);
  else memory = { of: new WebAssembly.Memory({ initial: FIRST_PAGES, maximum }), maximum };
  return memory.of;
}

function compile(): WebAssembly.Module {
  const file = import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return new WebAssembly.Module(readFileSync(fileURLToPath(file)));
}

/** How deep a result may be nested, as for every tool. */
const DEEPEST_RESULT = 200;

interface GuestListener {
  /** How the call ended; only the first report counts. */
  report: (end: ProgramEnd) => void;
  /** The program calls a tool, with a number from 1; returns a text to refuse. */
  ask: (id: number, tool: string, json: string) => string | undefined;
}

/** The code that runs beside the program in the sandbox (`GUEST`), as functions for the host. */
type Guest = ReturnType<typeof loadGuest>;

/**
 * Loads the guest into an engine, before any program.
 *
 * Exceptions of guest calls are ignored: then the call ends without a report, as it does when the engine runs out of
 * memory before it can report.
 */
function loadGuest(context: QuickJSContext, resultChars: number) {
  let listener: GuestListener | undefined;
  const textHandle = (text: string | undefined) =>
    text === undefined ? context.undefined : context.newString(text);
  const heard = (handle: QuickJSHandle | undefined) =>
    handle !== undefined && context.typeof(handle) === "string"
      ? context.getString(handle)
      : undefined;
  const onAsk = context.newFunction("ask", (id, tool, json) =>
    textHandle(listener?.ask(context.getNumber(id), heard(tool) ?? "", heard(json) ?? "")),
  );
  const onReport = context.newFunction("report", (kind, text, stack) => {
    listener?.report(endOf(heard(kind), heard(text), heard(stack)));
  });
  const numbers = [resultChars, DEEPEST_RESULT].map((each) => context.newNumber(each));
  const make = context.unwrapResult(context.evalCode(GUEST, "guest.js"));
  const guest = context.unwrapResult(
    context.callFunction(make, context.undefined, onAsk, onReport, ...numbers),
  );
  const guestFunction = (name: "start" | "settle" | "explain") => {
    const handle = context.getProp(guest, name);
    return (...args: QuickJSHandle[]) =>
      void context.callFunction(handle, context.undefined, ...args);
  };
  const [start, settle, explain] = (["start", "settle", "explain"] as const).map(guestFunction);
  return {
    listen(told: GuestListener) {
      listener = told;
    },
    start: (target: QuickJSHandle, args: string) => start?.(target, context.newString(args)),
    settle(answer: ToolAnswer) {
      const isOk = answer.ok ? context.true : context.false;
      const text = textHandle(answer.ok ? answer.json : answer.error);
      settle?.(context.newNumber(answer.id), isOk, text);
    },
    explain: (thrown: QuickJSHandle, kind: FailureKind) =>
      explain?.(thrown, context.newString(kind)),
  };
}

function endOf(
  kind: string | undefined,
  text: string | undefined,
  stack: string | undefined,
): ProgramEnd {
  if (kind === "done") return { type: "done", json: text };
  // The guest reports nothing else.
  return { type: "failed", kind: kind as FailureKind, text, stack };
}
