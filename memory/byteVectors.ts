/**
 * The length of vectors in bytes must be a multiple of this, which is what vector instructions process at once.
 */
export const VECTOR_STEP = 8;

/** What 1 becomes: the largest number of a byte with a sign. */
const SCALE = 127;

/** Bytes of a quantised vector, padded with zeros to whole steps of a comparison. */
export function quantisedLength(dimension: number): number {
  return Math.ceil(dimension / VECTOR_STEP) * VECTOR_STEP;
}

/** A unit vector with one byte per component. Cosines of such vectors are off by some thousandths. */
export function quantise(unit: readonly number[]): Int8Array {
  const quantised = new Int8Array(quantisedLength(unit.length));
  for (const [at, component] of unit.entries()) quantised[at] = Math.round(component * SCALE);
  return quantised;
}

/**
 * The scalar product of a vector with itself. It is a whole number, so the cosine of two equal vectors is
 * exactly 1.
 */
export function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (const component of vector) sum += component * component;
  return sum;
}

/** Computes the scalar products of a vector with many others, which are stored one after another. */
export type ScalarProducts = (vector: Int8Array, vectors: Int8Array) => Int32Array;

/**
 * Opens memory for comparing a vector with `count` vectors of `length` bytes. The next comparison overwrites
 * the products.
 *
 * Written in WebAssembly because its vector instructions are ten times as fast as a loop in JavaScript (5
 * against 60 ms for 100,000 vectors of 512 bytes), which decides whether a budget is divided within a tenth of
 * a second.
 */
export function scalarProducts({
  length,
  count,
}: {
  length: number;
  count: number;
}): ScalarProducts {
  const place = { vector: 0, vectors: length, products: length * (count + 1) };
  const bytes = place.products + count * Int32Array.BYTES_PER_ELEMENT;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(compiled(), { products: { memory } });
  const run = exports.products as (...numbers: number[]) => void;
  const inside = new Int8Array(memory.buffer);
  const products = new Int32Array(memory.buffer, place.products, count);
  return (vector, vectors) => {
    inside.set(vector, place.vector);
    inside.set(vectors, place.vectors);
    run(place.vector, place.vectors, place.products, count, length);
    return products;
  };
}

const PAGE_BYTES = 65_536;

let module: WebAssembly.Module | undefined;

function compiled(): WebAssembly.Module {
  return (module ??= new WebAssembly.Module(assemble()));
}

/** Instructions and types, as the WebAssembly specification numbers them. */
const I32 = 0x7f;
const V128 = 0x7b;
const END = [0x0b];
const LOOP = [0x03, 0x40];
const AGAIN_IF = (depth: number) => [0x0d, depth];
const GET = (local: number) => [0x20, local];
const SET = (local: number) => [0x21, local];
const CONST = (value: number) => [0x41, value];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const LESS_UNSIGNED = [0x49];
const STORE_I32 = [0x36, 2, 0];
const LOAD_8_BYTES_AS_I16 = [0xfd, 0x01, 0, 0];
const PRODUCTS_OF_I16_IN_PAIRS = [0xfd, 0xba, 0x01];
const ADD_I32X4 = [0xfd, 0xae, 0x01];
const SPLAT_I32X4 = [0xfd, 0x11];
const LANE = (lane: number) => [0xfd, 0x1b, lane];

/** Parameters, then locals, by number. */
const [VECTOR, VECTORS, PRODUCTS, COUNT, LENGTH, AT, STOP, SUM] = [0, 1, 2, 3, 4, 5, 6, 7];

function advance(local: number, bytes: number): number[] {
  return [GET(local), CONST(bytes), ADD, SET(local)].flat();
}

/**
 * For each of COUNT vectors: SUM, four numbers, accumulates the products of eight components at a time; then
 * the four are added and stored.
 */
function instructions(): number[] {
  const startVector = [CONST(0), SPLAT_I32X4, SET(SUM), GET(VECTOR), SET(AT)];
  const findStop = [GET(VECTORS), GET(LENGTH), ADD, SET(STOP)];
  const multiplyEight = [
    [GET(SUM), GET(AT), LOAD_8_BYTES_AS_I16, GET(VECTORS), LOAD_8_BYTES_AS_I16],
    [PRODUCTS_OF_I16_IN_PAIRS, ADD_I32X4, SET(SUM)],
  ].flat();
  const nextEight = [advance(AT, VECTOR_STEP), advance(VECTORS, VECTOR_STEP)];
  const untilStop = [GET(VECTORS), GET(STOP), LESS_UNSIGNED, AGAIN_IF(0), END];
  const addLanes = [
    [GET(SUM), LANE(0), GET(SUM), LANE(1), ADD],
    [GET(SUM), LANE(2), GET(SUM), LANE(3), ADD, ADD],
  ].flat();
  const storeProduct = [GET(PRODUCTS), addLanes, STORE_I32].flat();
  const nextProduct = advance(PRODUCTS, Int32Array.BYTES_PER_ELEMENT);
  const countDown = [GET(COUNT), CONST(1), SUBTRACT, SET(COUNT)];
  const untilZero = [GET(COUNT), AGAIN_IF(0), END];
  return [
    [LOOP, startVector, findStop].flat(2),
    [LOOP, multiplyEight, nextEight, untilStop].flat(2),
    [storeProduct, nextProduct, countDown, untilZero].flat(2),
    END,
  ].flat();
}

/** The module: one function of five numbers without a result, and imported memory. */
function assemble(): Uint8Array<ArrayBuffer> {
  const [types, imports, functions, exported, code] = [1, 2, 3, 7, 10];
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const locals = [2, 2, I32, 1, V128];
  return Uint8Array.from(
    [
      header,
      section(types, [1, 0x60, ...sized([I32, I32, I32, I32, I32]), 0]),
      section(imports, [1, ...text("products"), ...text("memory"), 0x02, 0, 1]),
      section(functions, [1, 0]),
      section(exported, [1, ...text("products"), 0, 0]),
      section(code, [1, ...sized([...locals, ...instructions()])]),
    ].flat(),
  );
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function text(name: string): number[] {
  return sized([...Buffer.from(name)]);
}

/** Prefixed with its length, seven bits per byte. */
function sized(content: readonly number[]): number[] {
  const { length } = content;
  const prefix = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return [...prefix, ...content];
}
