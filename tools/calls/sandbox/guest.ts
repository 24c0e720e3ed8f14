/**
 * First part of the guest. Takes what it needs from its globals before a program runs, and defines `json`, which
 * returns a value as JSON text in the forms of `jsonResult`. Besides what the program's getters throw, it throws
 * `TOO_LONG`, or `NO_FORM` with the reason in `noForm`.
 *
 * The text is written without copying the value, so that no object of the program can interfere, and counted as it
 * grows, so that an endless result soon meets its limit.
 */
const GUEST_JSON = String.raw`
const { parse, stringify: quote } = JSON;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { isFinite, isSafeInteger } = Number;
const { create, defineProperty, keys } = Object;
const { apply, construct } = Reflect;
const method = Function.prototype.bind.bind(Function.prototype.call);
const instanceOf = method(Function.prototype[Symbol.hasInstance]);
const [slice, timeOf, isoOf, eachOfMap, eachOfSet, regExpText] = [
  String.prototype.slice, Date.prototype.getTime, Date.prototype.toISOString,
  Map.prototype.forEach, Set.prototype.forEach, RegExp.prototype.toString,
].map((each) => method(each));
const [OwnArrayBuffer, OwnBytes, OwnDate, OwnError, OwnInternalError, OwnMap, OwnNumber, OwnPromise,
  OwnRangeError, OwnRegExp, OwnSet, OwnTypeError] = [ArrayBuffer, Uint8Array, Date, Error, InternalError,
  Map, Number, Promise, RangeError, RegExp, Set, TypeError];

const TOO_LONG = create(null);
const NO_FORM = create(null);
let noForm = "";
let written = 0;

function json(value) {
  written = 0;
  return text({ __proto__: null, value, step: "", above: null, depth: 0 });
}

function counted(piece) {
  written += piece.length;
  if (written > mostChars) throw TOO_LONG;
  return piece;
}

function quoted(words) {
  if (words.length > mostChars) throw TOO_LONG;
  return counted(quote(words));
}

function text(place) {
  const { value } = place;
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return isFinite(value) ? counted("" + value) : quoted("" + value);
    case "boolean":
      return counted("" + value);
    case "bigint": {
      const near = OwnNumber(value);
      return isSafeInteger(near) ? counted("" + near) : quoted("" + value);
    }
    case "undefined":
      return undefined;
    case "object":
      return value === null ? counted("null") : objectText(place, value);
    default:
      return refuse(place, " is a " + typeof value + ", which has no JSON form");
  }
}

function objectText(place, value) {
  for (let above = place.above; above !== null; above = above.above) {
    if (above.value === value) return refuse(place, " refers back to what contains it");
  }
  if (place.depth >= deepest) {
    return refuse(place, " is nested more than " + deepest + " levels deep");
  }
  if (isArray(value)) return list(place, value.length, (index) => value[index]);
  if (instanceOf(OwnDate, value)) {
    const time = timeOf(value);
    return time === time ? quoted(isoOf(value)) : "null";
  }
  if (instanceOf(OwnMap, value)) return mapText(place, value);
  if (instanceOf(OwnSet, value)) {
    const items = create(null);
    let count = 0;
    eachOfSet(value, (item) => void (items[count++] = item));
    return list(place, count, (index) => items[index]);
  }
  if (instanceOf(OwnArrayBuffer, value)) {
    const bytes = construct(OwnBytes, [value]);
    return list(place, bytes.length, (index) => bytes[index]);
  }
  if (isView(value)) return list(place, value.length, (index) => value[index]);
  if (instanceOf(OwnError, value)) {
    const names = create(null);
    names[0] = "name";
    names[1] = "message";
    return fields(place, 2, (index) => names[index], (index) => value[names[index]]);
  }
  if (instanceOf(OwnRegExp, value)) return quoted(regExpText(value));
  const { toJSON } = value;
  if (typeof toJSON === "function") return inside(place, "", apply(toJSON, value, []));
  const names = keys(value);
  return fields(place, names.length, (index) => names[index], (index) => value[names[index]]);
}

function mapText(place, map) {
  const found = create(null);
  let count = 0;
  let isTextMap = true;
  eachOfMap(map, (value, key) => {
    if (typeof key !== "string") isTextMap = false;
    const pair = create(null);
    pair[0] = key;
    pair[1] = value;
    found[count++] = pair;
  });
  if (isTextMap) return fields(place, count, (index) => found[index][0], (index) => found[index][1]);
  return list(place, count, (index) => [found[index][0], found[index][1]]);
}

function list(place, length, at) {
  counted("[]");
  let all = "";
  const end = length >>> 0;
  for (let index = 0; index < end; index++) {
    const one = inside(place, "[" + index + "]", at(index));
    all += (index === 0 ? "" : counted(",")) + (one === undefined ? counted("null") : one);
  }
  return "[" + all + "]";
}

function fields(place, count, nameAt, at) {
  counted("{}");
  let all = "";
  for (let index = 0; index < count; index++) {
    const name = nameAt(index);
    const one = inside(place, "." + name, at(index));
    if (one !== undefined) all += (all === "" ? "" : counted(",")) + quoted(name) + counted(":") + one;
  }
  return "{" + all + "}";
}

function inside(above, step, value) {
  return text({ __proto__: null, value, step, above, depth: above.depth + 1 });
}

function refuse(place, why) {
  let path = "";
  for (let at = place; at !== null; at = at.above) path = at.step + path;
  noForm = "result" + (path.length > 60 ? slice(path, 0, 60) + "…" : path) + why;
  throw NO_FORM;
}
`;

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
  const { values, absent } = parse(encoded);
  for (let index = 0; index < absent.length; index++) values[absent[index]] = undefined;
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
