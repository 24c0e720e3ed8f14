import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import { packageUrl } from "../packages.js";
import { hub } from "./encoderDownload.js";
import { ONNX_RUNTIME } from "./packagedEmbeddings.js";

/** Finds more than the packaged encoder (docs/retrieval.md), but has to be downloaded. */
const BETTER = { name: "Xenova/all-MiniLM-L6-v2", megabytes: 23 };

/** What its runtime takes, in megabytes. */
const RUNTIME_MEGABYTES = 140;

/**
 * How to use a better encoder, in one line, for whoever searches with the packaged one; undefined if another one is in
 * use. Nothing is asked of the network.
 */
export function encoderOffer(inUse: string): string | undefined {
  if (inUse !== LOCAL_EMBEDDINGS) return undefined;
  const { name, megabytes } = BETTER;
  const setting = `TULIPGRAPH_EMBEDDINGS=transformers:${name} to .env`;
  const from = URL.canParse(hub()) ? new URL(hub()).host : hub();
  const isInstalled = packageUrl(ONNX_RUNTIME) !== undefined;
  const size = isInstalled ? "" : ` and a runtime of ${RUNTIME_MEGABYTES} MB`;
  const how = isInstalled ? `add ${setting}` : `run npm install ${ONNX_RUNTIME} and add ${setting}`;
  return `searches often find more of the right tools with the encoder all-MiniLM-L6-v2 (${megabytes} MB from ${from}${size}); to use it, ${how}`;
}
