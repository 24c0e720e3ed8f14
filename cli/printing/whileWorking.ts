/** How long a step may take before it is announced, in milliseconds. */
const PATIENCE_MS = 1000;

/** Does a step of set-up, and announces it on stderr if it takes longer than a second. */
export async function whileWorking<Result>(
  label: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    process.stderr.write(`${label} …\n`);
  }, PATIENCE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (announced) process.stderr.write(`${label}: ${seconds} s\n`);
  }
}
