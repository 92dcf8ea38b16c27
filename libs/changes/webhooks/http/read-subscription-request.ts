import { isUtf8 } from 'node:buffer';
import { excerpt, Fault, isMap } from '#fault';
import { type Moment, readMoment } from '#query';
import { readChangeFilter } from '../../filter/change-filter';
import type { NewSubscription, SubscriptionChange } from '../subscriptions/subscription';
import type { TargetRules } from '../targets/target-rules';

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const longestUrl = 2_048;
export const mostDeliveries = 1_000;

const refused = (message: string): Fault => new Fault('malformed', 'webhooks.request', message);

/** Throws `webhooks.request`, `webhooks.target`, `changes.filter` or `query.as-of`. */
export function readNewSubscription(
  body: Buffer,
  rules: TargetRules,
): { readonly subscription: NewSubscription; readonly from: Moment | undefined } {
  const { name, secret, from, ...rest } = readObject(body, ['name', 'url', 'filter', 'secret', 'from']);
  if (typeof name !== 'string' || !nameForm.test(name)) {
    throw refused('name is a text of 1 to 100 letters, digits, dots, dashes and underscores, such as chat-relay.');
  }
  if (typeof secret !== 'string') throw refused('secret is a text such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.');
  if (from !== undefined && typeof from !== 'string') throw refused('from is a text, such as "2 hours ago".');
  return {
    subscription: { name, secret, ...readTarget(rest, rules) },
    from: from === undefined ? undefined : readMoment(from),
  };
}

/** Throws `webhooks.request`, `webhooks.target` or `changes.filter`. */
export function readSubscriptionChange(body: Buffer, rules: TargetRules): SubscriptionChange {
  const { secret, ...rest } = readObject(body, ['url', 'filter', 'secret']);
  if (secret !== undefined && typeof secret !== 'string') throw refused('secret is a text.');
  return { ...readTarget(rest, rules), ...(secret !== undefined && { secret }) };
}

/** Throws `webhooks.request` or `query.as-of`. */
export function readReplayRequest(url: string): { readonly from: Moment; readonly text: string } {
  const text = readParameters(url, ['from']).get('from');
  if (text === undefined || text === '') throw refused('A replay needs the parameter from, such as from=2 hours ago.');
  return { from: readMoment(text), text: excerpt(text) };
}

/** Throws `webhooks.request`. */
export function readDeliveriesRequest(url: string): { readonly limit: number; readonly before: number | undefined } {
  const parameters = readParameters(url, ['limit', 'before']);
  const number = (name: string, most: number): number | undefined => {
    const text = parameters.get(name);
    if (text === undefined) return undefined;
    if (/^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
    throw refused(`${name} is a whole number from 1 to ${most}, not ${JSON.stringify(excerpt(text))}.`);
  };
  return { limit: number('limit', mostDeliveries) ?? 100, before: number('before', Number.MAX_SAFE_INTEGER) };
}

function readTarget(
  { url, filter = {} }: Readonly<Record<string, unknown>>,
  rules: TargetRules,
): Pick<SubscriptionChange, 'url' | 'filter'> {
  if (typeof url !== 'string' || url.length > longestUrl)
    throw refused(`url is a text of 1 to ${longestUrl} characters.`);
  return { url: rules.read(url).href, filter: readChangeFilter(filter) };
}

function readObject(body: Buffer, known: readonly string[]): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = isUtf8(body) ? JSON.parse(body.toString('utf8')) : undefined;
  } catch {
    value = undefined;
  }
  // The message does not quote the body, because the body may contain a secret.
  if (!isMap(value)) throw refused('The body is not a JSON object in UTF-8.');
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw refused(`There is no member ${JSON.stringify(excerpt(other))}, only ${known.join(', ')}.`);
  return value;
}

function readParameters(url: string, known: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.split('?').slice(1).join('?'))) {
    if (!known.includes(name)) {
      throw refused(`There is no parameter ${JSON.stringify(excerpt(name))} here, only ${known.join(', ')}.`);
    }
    if (found.has(name)) throw refused(`The parameter ${name} may be given once.`);
    found.set(name, value);
  }
  return found;
}
