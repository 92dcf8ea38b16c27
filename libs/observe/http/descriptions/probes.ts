import { flag, inJson, inPath, list, mapOf, object, type Operation, type Schema, text } from '#openapi';

const readiness: Schema = object({
  ready: flag,
  state: text(),
  components: {
    ...(mapOf(flag) as object),
    description: 'The components of the process. The value is true if the component works.',
  },
  alerts: { ...(list(text()) as object), description: 'The codes of the active alerts.' },
});

const liveness: Schema = object({
  live: flag,
  version: { type: 'string', description: 'The version of nodeledger, in every dialect.' },
  log_id: {
    type: ['string', 'null'],
    description: 'The id of the log. Null in a process that has only the component `read`.',
  },
});

const answers: Operation['answers'] = {
  200: inJson('The process is ready.', readiness),
  503: inJson('The process is not ready.', readiness),
};

export const live: Operation = {
  id: 'isLive',
  tag: 'status',
  summary: 'Checks whether the process is alive',
  description:
    'An orchestrator can restart a process that does not answer. The answer does not depend on the database or Kafka.',
  answers: { 200: inJson('The process is alive.', liveness) },
  examples: { probe: { summary: 'A probe' } },
};

export const ready: Operation = {
  id: 'isReady',
  tag: 'status',
  summary: 'Checks whether the process can handle requests',
  answers,
  examples: { probe: { summary: 'A probe' } },
};

export const readyFor: Operation = {
  id: 'isComponentReady',
  tag: 'status',
  summary: 'Checks whether one component of the process can handle requests',
  parameters: [inPath('component', '`write`, `project` or `read`.')],
  refusals: [404],
  answers,
};
