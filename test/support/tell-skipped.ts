/**
 * For tests with requirements that a machine may not meet. Prints why they are skipped. If the variable is 1, as in
 * `.ci/run`, a missing requirement is a failure.
 */
export function tellSkipped(why: string, variable: `NODELEDGER_REQUIRE_${string}`): void {
  if (process.env[variable] === '1') throw new Error(`${variable}=1, but ${why}`);
  console.info(`skipped: ${why}`);
}
