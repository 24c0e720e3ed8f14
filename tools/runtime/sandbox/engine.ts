import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import quickJs from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { type Guest, loadGuest } from "./guestFunctions.js";
import type { SandboxLimits } from "./sandbox.js";

/** An engine with the guest in it, ready for a program. */
export interface PreparedEngine extends Engine {
  guest: Guest;
}

/** The next call's engine, if there was time to prepare it. */
let ahead: { limits: SandboxLimits; engine: Promise<PreparedEngine> } | undefined;

/** Whether a call is running, because engines take turns with the memory. */
let isTaken = false;

/** The prepared engine, or a new one. */
export async function takeEngine(limits: SandboxLimits): Promise<PreparedEngine> {
  isTaken = true;
  const taken = ahead;
  ahead = undefined;
  // Even an unsuitable engine must be ready before another gets its memory.
  const engine = await taken?.engine;
  const fits =
    taken?.limits.memoryMb === limits.memoryMb && taken.limits.resultChars === limits.resultChars;
  return engine !== undefined && fits ? engine : await prepare(limits);
}

/** Ends a call: its engine is gone, and the next is prepared unless someone is already waiting for one. */
export function releaseEngine(limits: SandboxLimits): void {
  isTaken = false;
  setImmediate(() => {
    if (isTaken || ahead !== undefined) return;
    const engine = prepare(limits);
    // Whoever takes the engine gets the error.
    engine.catch(() => undefined);
    ahead = { limits, engine };
  });
}

async function prepare({ memoryMb, resultChars }: SandboxLimits): Promise<PreparedEngine> {
  const engine = await newEngine(memoryMb);
  return { ...engine, guest: loadGuest({ context: engine.context, resultChars }) };
}

// The types describe the CommonJS build, where this would be the enclosing module.
const variant = quickJs as unknown as QuickJSSyncVariant;

/** An empty JavaScript engine, thrown away after one call. */
interface Engine {
  context: QuickJSContext;
  /** Whether its memory has reached its limit. */
  isFull(): boolean;
}

/** Size of a WebAssembly memory page, in bytes. */
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
async function newEngine(memoryMb: number): Promise<Engine> {
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
  return {
    context: runtime.newContext(),
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
