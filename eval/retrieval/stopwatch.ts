/** Starts a watch; each call gives the seconds since the one before it, or since the start. */
export function stopwatch(): () => number {
  let from = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - from) / 1000;
    from = now;
    return seconds;
  };
}
