import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import quickJs from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

// Its types describe the CommonJS build, in which this would be the module around it.
const variant = quickJs as unknown as QuickJSSyncVariant;

/** A JavaScript engine with nothing in it; it is thrown away after one call. */
export interface Engine {
  context: QuickJSContext;
  /** Whether its memory has grown as far as it may. */
  isFull(): boolean;
}

/** Pages of a WebAssembly memory are of this size, in bytes. */
const PAGE = 65_536;

/** What QuickJS's module asks for at least, in pages. */
const FIRST_PAGES = 256;

/**
 * Of the 1 MB that the module has for its stack; deeper calls are an error that the program sees. It allows
 * about 3,000 nested calls of a small function.
 */
const STACK_BYTES = 512 * 1_024;

let compiled: WebAssembly.Module | undefined;

interface EngineNeed {
  memoryMb: number;
}

let spare: (EngineNeed & { engine: Promise<Engine> }) | undefined;

/** An engine that no program has used: the one that was made ahead, or a new one. */
export async function takeEngine(need: EngineNeed): Promise<Engine> {
  const taken = spare;
  spare = undefined;
  return await (taken?.memoryMb === need.memoryMb ? taken.engine : newEngine(need));
}

/** Makes the next call's engine while nobody waits for it. */
export function makeEngineAhead({ memoryMb }: EngineNeed): void {
  const engine = newEngine({ memoryMb });
  // Whoever takes it is told; should nobody do so, nothing is lost.
  engine.catch(() => undefined);
  spare = { memoryMb, engine };
}

/**
 * Makes an engine: the module is compiled once, its instance and its memory are new each time, so that
 * nothing can be left over from one call to the next.
 *
 * The memory's maximum is what bounds a program. QuickJS's own limit does not: it misses what is
 * allocated outside its books.
 */
async function newEngine({ memoryMb }: EngineNeed): Promise<Engine> {
  const module = (compiled ??= compile());
  const maximum = Math.max(FIRST_PAGES, Math.floor((memoryMb * 2 ** 20) / PAGE));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
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
    // A request for more than is left fails before the last page is taken.
    isFull: () => wasmMemory.buffer.byteLength > (maximum * PAGE) / 2,
  };
}

function compile(): WebAssembly.Module {
  const file = import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return new WebAssembly.Module(readFileSync(fileURLToPath(file)));
}
