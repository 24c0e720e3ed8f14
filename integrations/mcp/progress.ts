import type { ServerContext } from "@modelcontextprotocol/server";

/** Milliseconds after which a client is told that a call still runs. */
const BEAT_MS = 2000;

/** Tells a client that wants to know it how far a call is, until it is stopped. */
export interface CallProgress {
  /** What has just been done, in a few words. */
  tell: (message: string) => void;
  stop: () => void;
}

/** Progress of the call of a request; silent for a client that has not asked for it. */
export function progressOf({ mcpReq }: ServerContext): CallProgress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => undefined, stop: () => undefined };
  let progress = 0;
  let message = "started";
  const send = () => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that is gone ends the call by itself.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const beat = setInterval(send, BEAT_MS);
  return {
    tell(said) {
      message = said;
      send();
    },
    stop: () => clearInterval(beat),
  };
}
