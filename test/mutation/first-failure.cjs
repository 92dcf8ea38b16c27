/**
 * Ends the run at its first failure and prints the failed test, because one failure shows that the mutation is caught.
 * (`--bail` still finishes the file.)
 */
const { writeSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailure extends TestEnvironment {
  handleTestEvent({ name, test, error }) {
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    const reason = String(error?.message ?? error).split('\n')[0];
    // Ends the process at once, because a mutation may block everything else.
    writeSync(2, `\nfailed: ${test?.name ?? 'a hook'}: ${reason}\n`);
    process.exit(1);
  }
};
