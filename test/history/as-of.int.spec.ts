/** An answer as of a moment is the answer that was given then. */
import fc from 'fast-check';
import { Database } from '#database';
import { EmbeddedCommandLog } from '#log';
import { splitHere } from '../../apps/server/log-splitting';
import { entities } from '../../libs/query/entities/registry';
import { schedulesWithPast } from '../model/arbitraries';
import { propertyRuns } from '../model/schedule-runner';
import { timeOf } from '../model/steps';
import { describeWithKafka, kafkaBrokers } from '../support/kafka';
import { OpenLogs } from '../support/kafka-logs';
import { ProjectionBench } from '../support/projection';
import { answerAsOf, answerNow, type Answer } from './answers';
import { atTimes, type HistoryStep, partitions, Played } from './history-runner';
import { corpusQuestions, operatorQuestions, ownQuestions, type Question, unknownOperators } from './questions';

const ofFleet = ['a', 'b', 'c', 'production', 'test', 'puppet.test', 'os', 'mem', 'debian', '/a', 'vim', '1'];
/** The value of a variable of the corpus: always the same one for a name. */
function ofSchedules(name: string): string {
  if (/^t\d/.test(name)) return timeOf(name.length);
  const sum = [...name].reduce((all, letter) => all + letter.charCodeAt(0), 0);
  return ofFleet[sum % ofFleet.length]!;
}

const corpus = corpusQuestions(8, ofSchedules, false);
const questions = [...corpus, ...ownQuestions, ...operatorQuestions(7)];

const questionsOfMoment = 45;
let asked = 0;

/** The next questions, so that after some moments each of them was asked. */
const someQuestions = (): Question[] =>
  Array.from({ length: questionsOfMoment }, () => questions[(asked++ * 7) % questions.length]!);

const readsReports = ({ text }: Answer): boolean => /\.(reports|resource_events|event_counts)_at\(/.test(text);

/** How often something happened. */
type Counts = Record<string, number>;
const add = (counts: Counts, what: string, more = 1): void => void (counts[what] = (counts[what] ?? 0) + more);

async function expectSame(
  bench: ProjectionBench,
  { steps, batch, moments }: { steps: readonly HistoryStep[]; batch: number; moments: readonly number[] },
  counts: Counts,
): Promise<void> {
  const played = await Played.play(bench, steps, batch);
  const times = moments.map((part) => Math.round(played.begin + (part * (played.end - played.begin)) / 100));
  await atTimes(played, times, async (then, time) => {
    const iso = new Date(time).toISOString();
    const moment = await played.resolve({ kind: 'time', time: iso });
    expect(moment.name).toBe(`${played.positionsAt(time).join(',')}@${iso}`);
    for (const question of someQuestions()) {
      const { text, ...found } = await answerAsOf(bench.db, played.generation, question, moment);
      if (moment.removed.length > 0 && readsReports({ ...found, text })) {
        add(counts, 'without removed reports');
        continue;
      }
      const { rows, totals } = await answerNow(then.db, then.generation, question, iso);
      expect({ question: question.name, iso, ...found }).toEqual({ question: question.name, iso, rows, totals });
      add(counts, 'same');
      if (rows.length > 0) add(counts, 'same, with rows');
    }
    add(counts, 'moments');
  });
  for (const [what, count] of played.counts) add(counts, what, count);
  add(counts, 'rejected', bench.deadLetters.length);
}

test('the questions have each entity and each operator, and at least 200 are of the corpus', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  expect(unknownOperators(questions)).toEqual([]);
  const texts = questions.map(({ match, parameters }) => `${match.route.entity ?? ''} ${parameters['query'] ?? ''}`);
  const missing = entities.filter(({ name }) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('the schedules have each command, and all that happens between commands', () => {
  const steps = fc.sample(schedulesWithPast, { numRuns: 50, seed: 1 }).flatMap((schedule) => schedule.steps);
  const commands = ['facts', 'catalog', 'report', 'inputs', 'deactivate', 'expiration', 'poison', 'again', 'delete'];
  const limits = ['expire', 'purge', 'purge reports', 'limits'];
  const between = ['settle', 'collect', 'set', 'snapshot', 'rebuild'];
  expect(new Set(steps.map((step) => step.do))).toEqual(new Set([...commands, ...limits, ...between]));
});

type MakeLog = Parameters<typeof ProjectionBench.open>[3];

function answersAreTheSame(makeLog: MakeLog, closeLog: () => Promise<void>): void {
  test('an answer as of a moment is that of tables that have only the records up to it', async () => {
    const counts: Counts = {};
    const seed = Number(process.env['NODELEDGER_PROPERTY_SEED'] ?? Date.now() & 0x7fffffff);
    const before = asked;
    await fc.assert(
      fc.asyncProperty(schedulesWithPast, async (schedule) => {
        const bench = await ProjectionBench.open(partitions, true, [], makeLog);
        try {
          await expectSame(bench, schedule, counts);
        } finally {
          await bench.close();
          await closeLog();
        }
      }),
      // To shrink a failing schedule would take longer than the test may.
      { numRuns: propertyRuns(3), seed, endOnFailure: true },
    );
    console.info(`seed ${seed}: ${JSON.stringify(counts)}`);
    expect(asked - before).toBeGreaterThan(questions.length);
    expect(counts['same, with rows']).toBeGreaterThan(counts['same']! / 10);
    expect(counts['same']).toBeGreaterThan(counts['without removed reports'] ?? 0);
  }, 3_600_000);
}

describe('with the embedded log', () => {
  let own: Database;
  answersAreTheSame(
    (connectionString) => {
      own = new Database({ connectionString, max: 3 });
      return new EmbeddedCommandLog(own, { partitions, splitter: splitHere() });
    },
    () => own.close(),
  );
});

describeWithKafka('with Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  answersAreTheSame(
    () => logs.make(logs.topic(), { partitions }),
    () => logs.closeAll(),
  );
});
