import { errorHeader, faultCodes } from '#fault';
import type { Refusal } from './operation';
import { anything, named, object, oneOfTexts, type Schema, text } from './schema';

type Status = Refusal | 401 | 403 | 500;

const meanings: Readonly<Record<Status, string>> = {
  400: 'The request is malformed. The text describes the mistake.',
  401: 'The request has no credential, or its token is not valid.',
  403: 'The credential lacks the role that the request needs, or the request comes from a page of another site.',
  404: 'The path, or the record in the path, does not exist.',
  405: 'The path does not support this method.',
  406: 'The header Accept allows none of the formats of the answer.',
  409: 'Another operation is running that excludes this operation.',
  413: 'The compressed or uncompressed body is larger than a limit.',
  415: 'The service does not support the media type or the encoding of the body.',
  500: 'The service failed. The log of the service contains the reason.',
  503: 'The service cannot answer now. Retry the request after the time in the header Retry-After.',
  504: 'The answer took longer than the request allows.',
};

const nameOf = (status: Status): string => `Refused${status}`;

export const refusal = (status: Status): object => ({ $ref: `#/components/responses/${nameOf(status)}` });

const codes = Object.entries(faultCodes)
  .filter(([, { shows }]) => shows.some((surface) => typeof surface === 'number'))
  .map(([code]) => code);

export const refusalSchemas: Readonly<Record<string, Schema>> = {
  ErrorCode: {
    ...(oneOfTexts(codes) as object),
    description:
      'The code of an error. Codes do not change, so programs can compare them. docs/errors.md describes all codes.',
  },
  Error: {
    description:
      'A description of the error for people. Programs should use the code in the header X-Nodeledger-Error.',
    anyOf: [
      object({ error: text(), problems: anything }, { required: ['error'] }),
      object(
        { message: text(), status: text(), url: text(), hint: text() },
        { required: ['message', 'status', 'url'] },
      ),
      object({ kind: text(), msg: text(), details: anything }, { required: ['kind', 'msg'] }),
    ],
  },
};

export const refusalResponses = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    (Object.keys(meanings) as unknown as Status[]).map((status) => [
      nameOf(status),
      {
        description: meanings[status],
        headers: {
          [titled(errorHeader)]: { description: 'The code of the error.', schema: named('ErrorCode') },
          ...(Number(status) === 503 && {
            'Retry-After': { description: 'The time to wait, in seconds.', schema: { type: 'integer' } },
          }),
        },
        content: {
          'application/json': { schema: named('Error') },
          'text/plain': { schema: text() },
        },
      },
    ]),
  );

const titled = (header: string): string => header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
