/** An answer as of a moment is the answer that was given then. */
import fc from 'fast-check';
import { entities } from '../../libs/query/entities/registry';
import { schedulesWithPast } from '../model/arbitraries';
import { propertyRuns } from '../model/schedule-runner';
import { timeOf } from '../model/steps';
import { answerAsOf, answerNow, type Answer } from './answers';
import { HistoryRunner, type HistoryStep } from './history-runner';
import { corpusQuestions, operatorQuestions, ownQuestions, type Question, unknownOperators } from './questions';

let runner: HistoryRunner;
beforeAll(async () => {
  runner = await HistoryRunner.open();
});
afterAll(() => runner.close());

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
let compared = 0;
let withRows = 0;
let withoutReports = 0;

/** The next questions, so that after some moments each of them was asked. */
const someQuestions = (): Question[] =>
  Array.from({ length: questionsOfMoment }, () => questions[(asked++ * 7) % questions.length]!);

const readsReports = ({ text }: Answer): boolean => /\.(reports|resource_events|event_counts)_at\(/.test(text);

async function expectSame(steps: readonly HistoryStep[], batch: number, parts: readonly number[]): Promise<void> {
  const played = await runner.play(steps, batch);
  const times = parts.map((part) => Math.round(played.begin + (part * (played.end - played.begin)) / 100));
  await runner.atTimes(played, times, async (then, time) => {
    const iso = new Date(time).toISOString();
    const moment = await played.resolve({ kind: 'time', time: iso });
    expect(moment.name).toBe(`${played.positionsAt(time).join(',')}@${iso}`);
    for (const question of someQuestions()) {
      const { text, ...found } = await answerAsOf(runner.bench.db, played.tables.generation, question, moment);
      if (moment.removed.length > 0 && readsReports({ ...found, text })) {
        withoutReports++;
        continue;
      }
      const { rows, totals } = await answerNow(runner.otherDb, then, question, iso);
      expect({ question: question.name, iso, ...found }).toEqual({ question: question.name, iso, rows, totals });
      compared++;
      if (rows.length > 0) withRows++;
    }
  });
  await played.tables.drop();
}

test('the questions have each entity and each operator, and at least 200 are of the corpus', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  expect(unknownOperators(questions)).toEqual([]);
  const texts = questions.map(({ match, parameters }) => `${match.route.entity ?? ''} ${parameters['query'] ?? ''}`);
  const missing = entities.filter(({ name }) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('an answer as of a moment is that of tables that have only the records up to it', async () => {
  await fc.assert(
    fc.asyncProperty(schedulesWithPast, ({ steps, batch, moments }) => expectSame(steps, batch, moments)),
    { numRuns: propertyRuns(5) },
  );
  console.info(
    `${compared} answers are the same, ${withRows} of them with rows; ${withoutReports} lack reports that an age limit has removed since`,
  );
  expect(asked).toBeGreaterThan(questions.length);
  expect(withRows).toBeGreaterThan(compared / 10);
  expect(compared).toBeGreaterThan(withoutReports);
}, 600_000);
