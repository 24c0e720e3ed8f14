// A thread that asks a server whether it is alive, again and again, and tells at the end how long each answer took.
import { parentPort, workerData } from "node:worker_threads";

const { url, pauseMs } = workerData;
const times = [];
let isOver = false;
parentPort.on("message", () => (isOver = true));
while (!isOver) {
  const begun = performance.now();
  const { status } = await fetch(`${url}/ok`).catch(() => ({ status: 0 }));
  await new Promise((done) => setTimeout(done, pauseMs));
  times.push(status === 200 ? performance.now() - begun - pauseMs : Infinity);
}
parentPort.postMessage(times);
parentPort.close();
