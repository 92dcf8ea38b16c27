/**
 * Ends the run with its first failure: of a mutation, nothing more needs to be known. (`--bail` still ends the file.) Says which
 * test it was.
 */
const { writeSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailure extends TestEnvironment {
  handleTestEvent({ name, test, error }) {
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    const reason = String(error?.message ?? error).split('\n')[0];
    // At once, because a mutation may keep everything else from running.
    writeSync(2, `\nfailed: ${test?.name ?? 'a hook'}: ${reason}\n`);
    process.exit(1);
  }
};
