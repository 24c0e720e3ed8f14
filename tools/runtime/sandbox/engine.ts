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

/**
 * Makes an engine: the module is compiled once, its instance is new each time and its memory empty, so that
 * nothing can be left over from one call to the next. No call may be under way in another one: they take turns
 * with the memory.
 *
 * The memory's maximum is what bounds a program. QuickJS's own limit does not: it misses what is
 * allocated outside its books.
 */
export async function newEngine({ memoryMb }: { memoryMb: number }): Promise<Engine> {
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
    // A request for more than is left fails before the last page is taken.
    isFull: () => wasmMemory.buffer.byteLength > (maximum * PAGE) / 2,
  };
}

let memory: { of: WebAssembly.Memory; maximum: number } | undefined;

/**
 * A memory with nothing in it: the last one with every byte zero, unless it has grown. To fill it takes less
 * time than the collection of garbage that new ones bring on.
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
