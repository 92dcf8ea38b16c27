/** The records that are the log's own and no reader's: the header that each partition begins with, the end of a base. */
import type { Message } from 'kafkajs';
import { Fault } from '#fault';
import { commandOf, type ReadMessage } from './record-message';

export const headerCommand = 'log header';
export const endCommand = 'base end';
export const format = 1;

export interface LogHeader {
  readonly logId: string;
  readonly format: number;
  readonly partitions: number;
  /** Only in a base: its number, and where this partition's tail begins behind it. */
  readonly base?: number;
  readonly tail?: number;
}

/** Written by the commit of a base, as the last record of each partition. */
interface BaseEnd {
  readonly base: number;
  /** Original offset of the partition's first record; the tail's begin where it has none. */
  readonly first: number;
}

const mark = (command: string, partition: number, content: LogHeader | BaseEnd): Message => ({
  partition,
  key: null,
  value: Buffer.from(JSON.stringify(content)),
  timestamp: String(Date.now()),
  headers: { command },
});

export const headerMessage = (partition: number, header: LogHeader): Message => mark(headerCommand, partition, header);
export const endMessage = (partition: number, end: BaseEnd): Message => mark(endCommand, partition, end);

export const isMark = (message: ReadMessage): boolean => {
  const command = commandOf(message);
  return command === headerCommand || command === endCommand;
};

/** Faults: `log.foreign` where the message is no header, or of a format that this release does not know. */
export function readHeader(message: ReadMessage | undefined, topic: string, partition: number): LogHeader {
  const content = read(message, headerCommand) as Partial<LogHeader> | undefined;
  const at = `partition ${partition} of topic ${topic}`;
  if (content === undefined || typeof content.logId !== 'string' || typeof content.partitions !== 'number') {
    throw new Fault('broken', 'log.foreign', `${at} does not begin with the header of a log`, {
      hint: 'The topic was not made by nodeledger, or it was changed from outside. Name another topic, or restore this one.',
    });
  }
  if (content.format !== format) {
    throw new Fault('broken', 'log.foreign', `${at} is of format ${content.format}; this release knows ${format}`, {
      hint: 'It was written by another release of nodeledger: run that one.',
    });
  }
  return content as LogHeader;
}

export function readEnd(message: ReadMessage | undefined): BaseEnd | undefined {
  const content = read(message, endCommand) as Partial<BaseEnd> | undefined;
  return typeof content?.base === 'number' && typeof content.first === 'number' ? (content as BaseEnd) : undefined;
}

function read(message: ReadMessage | undefined, command: string): unknown {
  if (message?.value == null || commandOf(message) !== command) return undefined;
  try {
    return JSON.parse(message.value.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
