import { clipped } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import type { Tree } from "../../state/state.js";
import { callParts } from "../shared/callTexts.js";
import type { LinePart } from "../shared/stage.js";

/** Most characters of an answer that stands for a step. */
const LONGEST_ANSWER = 60;

/** A step on one line for a person: its calls, or how it ends its branch. */
export function stepText({ nodes }: Tree, id: number): LinePart[] {
  const node = nodes[id];
  if (!node || node.parent === null) return ["the start"];
  if (node.end === "gaveUp") return ["giving up"];
  if (node.end === "answer") {
    return [`the answer “${clipped(oneLine(node.said ?? ""), LONGEST_ANSWER)}”`];
  }
  return node.calls.flatMap(({ name: tool, args }, at) => [
    ...(at > 0 ? [", "] : []),
    ...callParts({ tool, args }),
  ]);
}
