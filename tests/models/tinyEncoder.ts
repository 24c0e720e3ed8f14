import { Buffer } from "node:buffer";

/** A field of a protocol buffer: a small number, or bytes, whose length takes two. */
function field(id: number, value: number | string | Buffer): Buffer {
  if (typeof value === "number") return Buffer.from([id << 3, value]);
  const bytes = Buffer.from(value);
  const length = [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(id << 3) | 2, ...length]), bytes]);
}

function message(...fields: Buffer[]): Buffer {
  return Buffer.concat(fields);
}

/** An input or output of a network. */
function tensor(name: string, type: number, ...dims: string[]): Buffer {
  const shape = message(...dims.map((dim) => field(1, field(2, dim))));
  return message(field(1, name), field(2, field(1, message(field(1, type), field(2, shape)))));
}

const [FLOAT, INT64] = [1, 7];

/** A network as ONNX that looks up the vector of each token: row by row, two numbers each. */
export function lookupNetwork(rows: readonly [number, number][]): Buffer {
  const table = message(
    field(1, rows.length),
    field(1, 2),
    field(2, FLOAT),
    field(8, "table"),
    field(9, Buffer.from(Float32Array.from(rows.flat()).buffer)),
  );
  const gather = message(
    field(1, "table"),
    field(1, "input_ids"),
    field(2, "last_hidden_state"),
    field(4, "Gather"),
  );
  const graph = message(
    field(1, gather),
    field(2, "lookup"),
    field(5, table),
    field(11, tensor("input_ids", INT64, "texts", "tokens")),
    field(12, tensor("last_hidden_state", FLOAT, "texts", "tokens", "size")),
  );
  return message(field(1, 8), field(7, graph), field(8, message(field(1, ""), field(2, 13))));
}
