/** Ends the run with its first failure: of a mutation, nothing more needs to be known. (`--bail` still ends the file.) */
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailure extends TestEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') process.exit(1);
  }
};
