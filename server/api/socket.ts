import { upgradeWebSocket } from "@hono/node-server";
import { v7 } from "@langchain/core/utils/uuid";
import type { Hono } from "hono";
import { z } from "zod";
import type { WebSocket } from "ws";
import { KEY_REVOKED } from "../access/revocations.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import type { Served } from "./createRun.js";
import { command, filter, obey, protocolEvents } from "./protocol.js";
import { type Request, refused, toJson } from "./requests.js";
import { HEARTBEAT_MS } from "./sendRun.js";
import { check, pathId, readJson } from "./taking.js";

const MOST_SUBSCRIPTIONS = 100;

/** Codes with which a connection is closed (RFC 6455). */
const REVOKED = 1008;
const FAILED = 1011;

const unsubscribe = z.looseObject({ subscription_id: z.string() });

/** The same as the routes of the protocol over one WebSocket: commands, and the events of what they subscribe to. */
export function socketRoutes(app: Hono<Environment>, server: Served): void {
  app.get(
    "/threads/:thread_id/stream/events",
    upgradeWebSocket((context: Request) => {
      pathId(context, "thread_id");
      const { revocations } = server.access;
      let connection: ReturnType<typeof connect> | undefined;
      let ends: (() => void)[] = [];
      const end = () => {
        ends.forEach((each) => each());
        ends = [];
      };
      return {
        onOpen: (_event, { raw }) => {
          const socket = raw as WebSocket;
          connection = connect({ server, context, socket });
          const heartbeat = setInterval(() => socket.ping(), HEARTBEAT_MS);
          const revoke = () => socket.close(REVOKED, KEY_REVOKED.message);
          ends = [
            connection.end,
            () => clearInterval(heartbeat),
            revocations.watch(context.get("caller").id, revoke),
          ];
        },
        onMessage: ({ data }) => {
          // Commands are texts.
          if (typeof data === "string") void connection?.take(data);
        },
        onClose: end,
        onError: end,
      };
    }),
  );
}

function connect(options: { server: Served; context: Request; socket: WebSocket }) {
  const { server, context, socket } = options;
  const threadId = pathId(context, "thread_id");
  const subscriptions = new Map<string, AbortController>();
  const send = (text: string) => new Promise<void>((done) => socket.send(text, () => done()));
  const follow = async (wanted: z.output<typeof filter>, signal: AbortSignal) => {
    try {
      const events = protocolEvents({ server, context, threadId, wanted, signal });
      for await (const { data } of events) await send(data);
    } catch {
      // The client connects again, and reads on from what it has.
      if (!signal.aborted) socket.close(FAILED, "the events cannot be read at the moment");
    }
  };
  const done = async ({ id, method, params }: z.output<typeof command>): Promise<void> => {
    const succeed = (result: object) => send(toJson({ type: "success", id, result }));
    if (method === "subscription.subscribe") {
      const wanted = check(filter, params, "params");
      if (subscriptions.size >= MOST_SUBSCRIPTIONS)
        throw refused(`a connection has at most ${MOST_SUBSCRIPTIONS} subscriptions`);
      const subscription_id = v7();
      const left = new AbortController();
      subscriptions.set(subscription_id, left);
      // Before its events, which a client would not know yet.
      await succeed({ subscription_id, replayed_events: 0 });
      void follow(wanted, left.signal);
    } else if (method === "subscription.unsubscribe") {
      const { subscription_id } = check(unsubscribe, params, "params");
      const left = subscriptions.get(subscription_id);
      if (!left) throw refused(`params.subscription_id: there is no ${subscription_id}`);
      left.abort();
      subscriptions.delete(subscription_id);
      await succeed({});
    } else {
      await send(await obey(server, context, { id, method, params }));
    }
  };
  return {
    take: async (text: string): Promise<void> => {
      let id: unknown = null;
      try {
        server.access.count(context);
        const given = readJson(text);
        ({ id = null } = Object(given) as { id?: unknown });
        await done(check(command, given, "message"));
      } catch (error) {
        await send(toJson({ type: "error", id, ...toldOf(error) }));
      }
    },
    end: () => subscriptions.forEach((left) => left.abort()),
  };
}

function toldOf(error: unknown): { error: string; message: string } {
  if (!(error instanceof HttpProblem)) return { error: "unknown_error", message: "Internal error" };
  const { status } = error.details;
  const isForbidden = status === 401 || status === 403;
  return { error: isForbidden ? "permission_denied" : "invalid_argument", message: error.message };
}
