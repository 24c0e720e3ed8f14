import type { ServerContext } from "@modelcontextprotocol/server";

/** Milliseconds between notices that a call is still running. */
const BEAT_MS = 2000;

/** Reports the progress of a call to the client, until it is stopped. */
export interface CallProgress {
  /** Reports what has just been done, in a few words. */
  tell: (message: string) => void;
  stop: () => void;
}

/** The progress of a request's call; silent if the client has not asked for it. */
export function progressOf({ mcpReq }: ServerContext): CallProgress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => undefined, stop: () => undefined };
  let progress = 0;
  let message = "started";
  const send = () => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that has gone ends the call anyway.
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
