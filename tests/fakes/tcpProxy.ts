import { Transform } from "node:stream";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A proxy whose connections can be made to hang: they stay open, and nothing passes through them any more. */
export interface TcpProxy {
  port: number;
  /** How long each part is kept back, in milliseconds. */
  delayMs: number;
  /** Breaks all present connections off. */
  cut: () => void;
  /** Makes all present connections hang; new ones work. */
  hang: () => void;
  close: () => Promise<void>;
}

/** Starts a proxy of a port on this machine. @param host the address to listen on */
export async function startProxy(target: number, host = "127.0.0.1"): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(target, "127.0.0.1");
    for (const [end, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(end);
      end.on("error", () => undefined);
      end.once("close", () => {
        open.delete(end);
        other.destroy();
      });
      end.pipe(late(() => proxy.delayMs)).pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    cut: () => open.forEach((end) => end.destroy()),
    hang: () => {
      for (const end of open) end.unpipe().pause();
    },
    close: async () => {
      for (const end of open) end.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}

/** Passes parts on in their order, each after a delay. */
function late(delayMs: () => number): Transform {
  return new Transform({
    transform: (part, _, done) => {
      if (delayMs() === 0) done(null, part);
      else setTimeout(() => done(null, part), delayMs());
    },
  });
}
