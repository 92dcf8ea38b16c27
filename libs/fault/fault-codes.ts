import { archiveCodes } from './codes/archive-codes';
import { changeCodes } from './codes/change-codes';
import type { CodeEntry } from './codes/code-entry';
import { commandLineCodes } from './codes/command-line-codes';
import { databaseCodes } from './codes/database-codes';
import { importCodes } from './codes/import-codes';
import { logCodes } from './codes/log-codes';
import { maintenanceCodes } from './codes/maintenance-codes';
import { queryCodes } from './codes/query-codes';
import { requestCodes } from './codes/request-codes';
import { startCodes } from './codes/start-codes';
import { tlsCodes } from './codes/tls-codes';
import { wireCodes } from './codes/wire-codes';

/**
 * Codes are stable, because clients and monitoring systems match them. `npm run docs:errors` writes docs/errors.md from
 * this table.
 */
export const faultCodes = {
  ...queryCodes,
  ...requestCodes,
  ...importCodes,
  ...wireCodes,
  ...logCodes,
  ...databaseCodes,
  ...startCodes,
  ...tlsCodes,
  ...maintenanceCodes,
  ...commandLineCodes,
  ...archiveCodes,
  ...changeCodes,
} satisfies Readonly<Record<string, CodeEntry>>;

export type FaultCode = keyof typeof faultCodes;

/** The codes in a group, such as `query`, without the prefix `query.`. */
export type CodeAfter<Prefix extends string> = FaultCode extends infer Code
  ? Code extends `${Prefix}.${infer Rest}`
    ? Rest
    : never
  : never;

export const isFaultCode = (text: string): text is FaultCode => Object.hasOwn(faultCodes, text);
