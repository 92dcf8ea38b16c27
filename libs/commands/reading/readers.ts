import type { Limits } from '#limits';
import { readAgentReport } from '#wire';
import { readBodyForm } from '../body-form';
import type { Submission } from '../submission';

export interface ReadOptions {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly limits: Limits;
}

/** An agent's report after its conversion to `store report` 8. */
export interface ReadReport {
  readonly certname: string;
  readonly payload: Buffer;
}

export const readers = {
  agentReport: (body: Buffer, { receivedAt, limits }: ReadOptions): ReadReport => {
    const { certname, payload } = readAgentReport(body, receivedAt, limits);
    return { certname, payload: Buffer.from(payload, 'utf8') };
  },
  bodyForm: (body: Buffer): Submission => readBodyForm(body),
} as const;

export type Readers = typeof readers;
export type ReaderName = keyof Readers;
export type ReadBody = ReturnType<Readers[ReaderName]>;

/** In the thread, a Buffer arrives as a Uint8Array. */
export interface ReadingTask {
  readonly reader: ReaderName;
  readonly body: Uint8Array;
  readonly options: ReadOptions;
}
