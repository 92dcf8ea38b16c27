import {
  type Description,
  flag,
  inJson,
  inPath,
  inQuery,
  integer,
  list,
  named,
  object,
  oneOfTexts,
  type Operation,
  orNull,
  type Parameter,
  type Schema,
  text,
  time,
} from '#openapi';
import { changeKinds } from '../../filter/change-filter';
import { mostDeliveries } from './read-subscription-request';

const filter: Schema = {
  description: 'Selects changes. An absent list selects all changes.',
  ...(object(
    {
      kinds: list(oneOfTexts(changeKinds)),
      certnames: list(text()),
      environments: list(text('Leaves out changes without an environment.')),
    },
    { required: [] },
  ) as object),
};

const subscription: Schema = object({
  name: text(),
  url: text(),
  filter: named('ChangeFilter'),
  state: oneOfTexts(['active', 'failing', 'paused']),
  created_at: time,
  delivered_at: orNull(time),
  failures: { type: 'integer', description: 'The number of failed attempts since the last success.' },
  failing_since: orNull(time),
  last_error: orNull(text()),
  pause_reason: { type: ['string', 'null'], enum: ['asked', 'failing', 'gone', null] },
  paused_at: orNull(time),
});

const delivery: Schema = object({
  id: integer,
  at: time,
  event: text('The id of the event.'),
  type: text(),
  certname: orNull(text()),
  status: { type: ['integer', 'null'], description: 'The status of the answer. Null if there was no answer.' },
  ms: integer,
  error: {
    type: ['string', 'null'],
    description: 'The reason for the failure. Null if the receiver has got the change.',
  },
});

const secret = text('`whsec_` and 24 to 64 bytes in base64. No answer contains it.');
const change = { url: text(), filter: named('ChangeFilter'), secret };

const one = inJson('The subscription.', named('Subscription'));
const name: Parameter = inPath('name', 'The name of the subscription.');

const ofExample = { relay: { summary: 'By its name', parameters: { name: 'chat-relay' } } };
/** The secret in the examples of the Standard Webhooks specification. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const exampleUrl = 'https://relay.example.com/changes';

const operation = (id: string, summary: string, rest: Partial<Operation> = {}): Operation => ({
  id,
  tag: 'subscriptions',
  summary,
  parameters: [name],
  refusals: [400, 404, 409, 503],
  answers: { 200: one },
  examples: ofExample,
  ...rest,
});

export const listSubscriptions = (): Description => ({
  schemas: { ChangeFilter: filter, Subscription: subscription, Delivery: delivery },
  operations: [
    operation('listSubscriptions', 'Lists subscriptions', {
      description: 'A subscription sends changes to a receiver as signed CloudEvents: docs/webhooks.md.',
      parameters: [],
      answers: {
        200: inJson('All subscriptions, sorted by name.', object({ subscriptions: list(named('Subscription')) })),
      },
      examples: { all: { summary: 'All' } },
    }),
  ],
});

export const createSubscription = operation('createSubscription', 'Creates a subscription', {
  description: 'The service delivers the changes from now on or, with `from`, the changes since that time.',
  parameters: [],
  body: inJson(
    'The subscription.',
    object(
      { name: text(), ...change, from: text('Such as "2 hours ago", or a time in ISO 8601.') },
      { required: ['name', 'url', 'secret'] },
    ),
  ),
  refusals: [400, 409, 413, 415, 503],
  answers: { 201: one },
  examples: {
    failed: {
      summary: 'Reports of runs in production',
      body: {
        name: 'chat-relay',
        url: exampleUrl,
        secret: exampleSecret,
        filter: { kinds: ['report'], environments: ['production'] },
        from: '2 hours ago',
      },
    },
  },
});
export const showSubscription = operation('getSubscription', 'Shows a subscription');
export const changeSubscription = operation('changeSubscription', 'Replaces URL and filter of a subscription', {
  description:
    'The service signs further messages with a new secret. For a day, messages also have a signature with the previous secret.',
  body: inJson(
    'The URL, the filter, and optionally a new secret. Without a new secret, the subscription keeps its secret.',
    object(change, { required: ['url'] }),
  ),
  refusals: [400, 404, 409, 413, 415, 503],
  examples: { all: { summary: 'All changes', parameters: { name: 'chat-relay' }, body: { url: exampleUrl } } },
});
export const removeSubscription = operation('removeSubscription', 'Removes a subscription', {
  answers: { 204: { description: 'The subscription is removed.' } },
});
export const pauseSubscription = operation('pauseSubscription', 'Pauses a subscription', {
  description: 'The changes of a paused subscription wait for as long as the history contains them.',
});
export const resumeSubscription = operation('resumeSubscription', 'Resumes a paused subscription');
export const replaySubscription = operation('replaySubscription', 'Delivers changes again', {
  parameters: [
    name,
    inQuery('from', 'The service delivers the changes since this time: "2 hours ago", or a time in ISO 8601.', text(), {
      required: true,
    }),
  ],
  examples: { relay: { summary: 'The changes of two hours', parameters: { name: 'chat-relay', from: '2 hours ago' } } },
});
export const testSubscription = operation('testSubscription', 'Sends an event to the receiver', {
  description: 'Sends an event of the type `nodeledger.test`. The test does not move the cursors.',
  answers: {
    200: inJson(
      'What became of it.',
      object({ delivered: flag, status: orNull(integer), ms: integer, error: orNull(text()) }),
    ),
  },
});
export const listDeliveries = operation('listDeliveries', 'Lists attempts to deliver, the latest first', {
  parameters: [
    name,
    inQuery('limit', 'The largest number of attempts in the answer.', {
      type: 'integer',
      minimum: 1,
      maximum: mostDeliveries,
      default: 100,
    }),
    inQuery('before', 'Selects attempts before the attempt with this id: `next` of the previous page.', {
      type: 'integer',
      minimum: 1,
    }),
  ],
  answers: {
    200: inJson('The attempts.', object({ deliveries: list(named('Delivery')), next: orNull(integer) })),
  },
});
