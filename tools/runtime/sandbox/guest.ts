import { GUEST_JSON } from "./guestJson.js";

/**
 * What runs inside the sandbox before a program does, as text for QuickJS. It gives the program its
 * `callTool`, calls the function, and puts results and errors into words.
 *
 * It shares its globals with a program that may overwrite every one of them. Hence it takes what it needs
 * before the program runs, calls it through functions that look up no property, keeps no object of its own
 * in the program's reach, and waits by `await`, which is syntax. Getters, `toJSON` and traps of proxies
 * run in here, under the same limits as everything else.
 *
 * The text is a function. It takes two functions of the host: `ask(id, tool, json)` calls a tool and returns a
 * text if it refuses to; `report(kind, text, stack)` ends the call with "done" or a `FailureKind`. It returns
 * `start(target, args)`, `settle(id, isOk, text)` and `explain(thrown, kind)`.
 */
export const GUEST = String.raw`(function (ask, report, mostChars, deepest) {
"use strict";
${GUEST_JSON}
const open = create(null);
let lastId = 0;

defineProperty(globalThis, "callTool", {
  __proto__: null, writable: true, configurable: true, enumerable: false,
  value: function callTool(tool, args) {
    return new OwnPromise((resolve, reject) => {
      if (typeof tool !== "string") throw new OwnTypeError("callTool needs the id of a tool as a text");
      const id = ++lastId;
      const refusal = ask(id, slice(tool, 0, 200), argumentsJson(args));
      if (refusal !== undefined) throw new OwnError(refusal);
      open[id] = { __proto__: null, resolve, reject };
    });
  },
});

function argumentsJson(args) {
  try {
    const written = json(args);
    return written === undefined ? "{}" : written;
  } catch (thrown) {
    if (thrown === NO_FORM) throw new OwnTypeError("arguments of callTool: " + noForm);
    if (thrown === TOO_LONG) {
      throw new OwnRangeError("arguments of callTool have more than " + mostChars + " characters as JSON");
    }
    throw thrown;
  }
}

function settle(id, isOk, answer) {
  const { resolve, reject } = open[id];
  delete open[id];
  try {
    if (isOk) resolve(answer === undefined ? undefined : parse(answer));
    else reject(new OwnError(answer));
  } catch (thrown) {
    reject(thrown);
  }
}

function decoded(encoded) {
  const { values, absent, dates } = parse(encoded);
  for (let index = 0; index < absent.length; index++) values[absent[index]] = undefined;
  for (let index = 0; index < dates.length; index++) {
    const steps = dates[index];
    let holder = values;
    for (let depth = 0; depth < steps.length - 1; depth++) holder = holder[steps[depth]];
    const last = steps[steps.length - 1];
    defineProperty(holder, last, {
      __proto__: null, writable: true, configurable: true, enumerable: true,
      value: construct(OwnDate, [holder[last]]),
    });
  }
  return values;
}

async function start(target, encoded) {
  let result;
  try {
    result = await apply(target, undefined, decoded(encoded));
  } catch (thrown) {
    return explain(thrown, "threw");
  }
  try {
    report("done", json(result));
  } catch (thrown) {
    if (thrown === TOO_LONG) report("result");
    else if (thrown === NO_FORM) report("form", noForm);
    else explain(thrown, "threw");
  }
}

function explain(thrown, kind) {
  try {
    if (instanceOf(OwnInternalError, thrown)) return report("engine", words(thrown.message));
  } catch {
    // What cannot be read is told below as an error that cannot be read.
  }
  let line;
  let stack;
  try {
    line = lineOf(thrown);
  } catch {
    line = "an error whose text cannot be read";
  }
  try {
    if (typeof thrown === "object" && thrown !== null) stack = words(thrown.stack);
  } catch {
    // Without a stack the error has no place.
  }
  report(kind, line, stack);
}

function lineOf(thrown) {
  if (instanceOf(OwnError, thrown)) return words(thrown.name) + ": " + words(thrown.message);
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) return words(thrown.message);
  if (typeof thrown === "object" && thrown !== null) {
    const written = json(thrown);
    return slice(written, 0, 2000);
  }
  return words(thrown);
}

function words(value) {
  return slice(typeof value === "symbol" ? "a symbol" : "" + value, 0, 2000);
}

return { __proto__: null, start, settle, explain };
})`;
