import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "../../home/workspace.js";
import { encoderOffer } from "../../models/embeddings/encoderOffer.js";
import { parseSettings } from "../../state/settings.js";

/** Present once a home's first import has offered a better encoder. */
const OFFERED = "encoder-offered";

/** Offers a better encoder on stderr after the first import into a home, unless another one is in use already. */
export function offerEncoder(): void {
  const offer = encoderOffer(parseSettings({}).embeddings);
  if (offer === undefined || !isFirstOffer(openWorkspace().home)) return;
  process.stderr.write(`note: ${offer}\n`);
}

function isFirstOffer(home: string): boolean {
  try {
    writeFileSync(join(home, OFFERED), "", { flag: "wx" });
    return true;
  } catch {
    // It was made before, or cannot be made; an offer at every import would be a nuisance.
    return false;
  }
}
