import type { Sandbox } from "../../../../tools/calls/sandbox/openSandbox.js";
import type { SandboxCall } from "../../../../tools/calls/sandbox/sandbox.js";

/** What a test says of a call; the function is `f` unless it says otherwise. */
export type Call = Partial<SandboxCall> & Pick<SandboxCall, "program">;

/** Runs a program and gives its result as JSON data. */
export async function resultOf(sandbox: Sandbox, call: Call): Promise<unknown> {
  const signal = new AbortController().signal;
  const json = await sandbox.run({ functionName: "f", args: [], signal, ...call });
  return json === undefined ? undefined : JSON.parse(json);
}

/** Runs a program that has to fail, and gives its error. */
export async function errorOf(sandbox: Sandbox, call: Call): Promise<Error> {
  let result: unknown;
  try {
    result = await resultOf(sandbox, call);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error(`expected an error, got ${JSON.stringify(result)}`);
}
