import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A proxy whose connections can be made to hang: they stay open, and nothing passes through them any more. */
export interface TcpProxy {
  port: number;
  /** Makes all present connections hang; new ones work. */
  hang: () => void;
  close: () => Promise<void>;
}

/** Starts a proxy of a port on this machine. */
export async function startProxy(target: number): Promise<TcpProxy> {
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
      end.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    hang: () => {
      for (const end of open) end.unpipe().pause();
    },
    close: async () => {
      for (const end of open) end.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
