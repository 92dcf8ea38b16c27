import { errorHeader, type Fault, type FaultCode, type FaultKind } from '#fault';

export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Members of `Fault.details` that change the answer. `status` replaces the usual status of the fault's kind, for
 * example by 415 for `unacceptable`. `form` chooses between text/plain and JSON (`{"error": message}`).
 * `retryAfterSeconds` is the value of Retry-After for `busy`.
 */
interface AnswerHints {
  readonly status?: number;
  readonly form?: 'text' | 'json';
  readonly retryAfterSeconds?: number;
}

const statuses: Record<FaultKind, number> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  unacceptable: 406,
  'too-large': 413,
  conflict: 409,
  busy: 503,
  'timed-out': 504,
  broken: 500,
};

const textKinds: readonly FaultKind[] = ['unauthorized', 'forbidden', 'unacceptable', 'too-large'];
/** Answers to queries are plain text, because people read them. */
const textCodes = /^(query|pql)\./;

const defaultRetrySeconds = 5;

export function answerFault(fault: Fault): FaultAnswer {
  const hints = hintsOf(fault.details);
  const status = hints.status ?? statuses[fault.kind];
  const headers = {
    ...codeHeader(fault.code),
    ...(fault.kind === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="nodeledger"' } : {}),
    ...(fault.kind === 'busy' ? { 'retry-after': String(hints.retryAfterSeconds ?? defaultRetrySeconds) } : {}),
  };
  const form =
    hints.form ??
    (textKinds.includes(fault.kind) || (fault.kind !== 'missing' && textCodes.test(fault.code)) ? 'text' : 'json');
  const text = fault.hint === undefined ? fault.message : `${fault.message}\n\n${fault.hint}`;
  if (form === 'text') return { status, headers: { ...headers, 'content-type': textType }, body: text };
  return { status, headers: { ...headers, 'content-type': jsonType }, body: jsonBody(fault, text) };
}

/** Returns a header with the code of the fault, for programs. The body is for people and has PuppetDB's format. */
export const codeHeader = (code: FaultCode): Readonly<Record<string, string>> => ({ [errorHeader]: code });

export const textType = 'text/plain;charset=utf-8';
export const jsonType = 'application/json;charset=utf-8';

function jsonBody(fault: Fault, text: string): string {
  if (fault.kind === 'conflict') return JSON.stringify({ kind: 'conflict', msg: text, details: null });
  // PuppetDB writes this answer on several lines, and some clients compare the whole text.
  if (fault.kind === 'missing') return `{\n  "error" : ${JSON.stringify(text)}\n}`;
  return JSON.stringify({ error: text });
}

function hintsOf(details: unknown): AnswerHints {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return {};
  const { status, form, retryAfterSeconds } = details as Record<string, unknown>;
  return {
    ...(typeof status === 'number' && status >= 400 && status < 600 ? { status } : {}),
    ...(form === 'text' || form === 'json' ? { form } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
}
