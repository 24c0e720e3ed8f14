// A program that asks a server whether it is alive, again and again, until its input ends; then it prints how long each
// answer took, in milliseconds.
const [url, pauseMs] = process.argv.slice(2);
const over = new AbortController();
process.stdin.on("end", () => over.abort()).resume();
const times = [];
while (!over.signal.aborted) {
  const begun = performance.now();
  const { status } = await fetch(`${url}/ok`).catch(() => ({ status: 0 }));
  times.push(status === 200 ? performance.now() - begun : 1e9);
  await new Promise((done) => setTimeout(done, Number(pauseMs)));
}
process.stdout.write(JSON.stringify(times));
