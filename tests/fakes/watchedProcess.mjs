// Loaded before anything else by the processes of a test (NODE_OPTIONS=--import). Notes each process,
// and every connection that would leave this machine; such a connection is never answered, as in a
// network that swallows everything. Tells its memory without garbage when it gets SIGUSR2.
import { appendFileSync } from "node:fs";
import net from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const { WATCH_FILE = "" } = process.env;

/** @param {object} entry */
function note(entry) {
  const seen = { pid: process.pid, program: process.argv[1] ?? "", ...entry };
  appendFileSync(WATCH_FILE, `${JSON.stringify(seen)}\n`);
}

note({});

process.on("SIGUSR2", () => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  note({ used: process.memoryUsage().heapUsed });
});

// Called with its own `this` below.
// oxlint-disable-next-line typescript/unbound-method
const { connect } = net.Socket.prototype;

/** @param {unknown[]} args as Node takes them: options, or a port and a host, or a list of these */
net.Socket.prototype.connect = function watchedConnect(...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof first === "object" ? first : { port: first, host: second };
  const host = options.host ?? "127.0.0.1";
  if (options.path || /^(localhost|127\..*|::1)$/.test(host)) return connect.apply(this, args);
  note({ host });
  return this;
};
