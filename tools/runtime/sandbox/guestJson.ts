/**
 * First part of the guest. Takes what it needs from its globals before a program runs, and defines `json`, which
 * returns a value as JSON text in the forms of `jsonResult`. Besides what the program's getters throw, it throws
 * `TOO_LONG`, or `NO_FORM` with the reason in `noForm`.
 *
 * The text is written without copying the value, so that no object of the program can interfere, and counted as it
 * grows, so that an endless result soon meets its limit.
 */
export const GUEST_JSON = String.raw`
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
    return quoted(time === time ? isoOf(value) : "Invalid Date");
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
