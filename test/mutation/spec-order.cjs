/** Runs specs in the order in which they are named, the fastest first, so that most mutations are noticed early. */
const Sequencer = require('@jest/test-sequencer').default;

const names = (process.env.MUTATION_SPECS ?? '').split(' ');
const place = ({ path }) => names.findIndex((name) => path.endsWith(name));

module.exports = class SpecOrder extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => place(a) - place(b));
  }
};
