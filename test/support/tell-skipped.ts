/**
 * For tests that need what a machine may not have. Says why they are skipped; where the variable is 1, as `.ci/run` sets it,
 * that is a failure.
 */
export function tellSkipped(why: string, variable: `NODELEDGER_REQUIRE_${string}`): void {
  if (process.env[variable] === '1') throw new Error(`${variable}=1, but ${why}`);
  console.info(`skipped: ${why}`);
}
