import quickJs from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

export interface Call {
  name: string;
  args: unknown;
}

/** Answers a call; an error that is thrown is one that the program sees. */
export type Answer = (call: Call) => unknown;

/** What a program returns, or how it ended otherwise. */
export interface JavaScriptRun {
  value?: string;
  error?: string;
}

const PRELUDE = `
const today = "2026-03-10";
let logged = [];
const console = { log: (...all) => void logged.push(all.map(String).join(" ")) };
function sum(list) { return list.reduce((a, b) => a + b, 0); }
Array.prototype.toSorted ??= function (by) { return [...this].sort(by); };
Object.groupBy ??= function (list, by) { const all = {}; list.forEach((x, i) => { (all[by(x, i)] ??= []).push(x); }); return all; };
function structuredClone(value) { return JSON.parse(JSON.stringify(value)); }
Array.prototype.toReversed ??= function () { return [...this].reverse(); };
function tool(name) {
  return (args) => {
    const { result, error } = JSON.parse(answer(name, JSON.stringify(args)));
    if (error !== undefined) throw new Error(error);
    return result;
  };
}
const [get, list, rate, risky, close, create] = ["get", "list", "rate", "risky", "close", "create"].map(tool);
`;

function nobody(): null {
  return null;
}

/** Another engine that runs the same programs, as JavaScript: one statement after the other. */
export async function openJavaScript() {
  const engine = await newQuickJSWASMModuleFromVariant(quickJs as unknown as QuickJSSyncVariant);
  const context = engine.newContext();
  let answer: Answer = nobody;
  const asked = context.newFunction("answer", (name, args) =>
    context.newString(told(answer, context, { name, args })),
  );
  context.setProp(context.global, "answer", asked);
  context.unwrapResult(context.evalCode(PRELUDE)).dispose();

  return {
    run(code: string, answers: Answer): JavaScriptRun {
      answer = answers;
      const plain = code.replaceAll(/\b(?:await|async) |Promise\.all(?=\()/g, "");
      const result = context.evalCode(`logged = []; (() => { ${plain} })() ?? logged.join("\\n")`);
      if (result.error) return { error: String(dumped(context, result.error)) };
      return { value: String(dumped(context, result.value)) };
    },
    close(): void {
      asked.dispose();
      context.dispose();
    },
  };
}

type Handle = Parameters<QuickJSContext["dump"]>[0];

function dumped(context: QuickJSContext, handle: Handle): unknown {
  const value: unknown = context.dump(handle);
  handle.dispose();
  return typeof value === "object" ? JSON.stringify(value) : value;
}

function told(answer: Answer, context: QuickJSContext, given: { name: Handle; args: Handle }) {
  const name = context.getString(given.name);
  const args: unknown = JSON.parse(context.getString(given.args));
  try {
    return JSON.stringify({ result: answer({ name, args }) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
  }
}
