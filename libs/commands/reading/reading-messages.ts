import type { Fault } from '#fault';
import type { ReadBody, ReaderName, ReadOptions } from './readers';

/** Asks the thread to read a body. */
export interface ReadMessage {
  readonly reader: ReaderName;
  readonly body: Uint8Array;
  readonly options: ReadOptions;
}

/** The answer of the thread: what it read, with the bytes of the payload beside it, or the fault of the body. */
export type ReadAnswer =
  | { readonly read: Omit<ReadBody, 'payload'>; readonly payload: Uint8Array }
  | { readonly fault: Pick<Fault, 'kind' | 'code' | 'message' | 'hint' | 'details'> };
