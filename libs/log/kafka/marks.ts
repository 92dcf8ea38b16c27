/** Messages that readers do not return: the header of each partition, and the end message of a base. */
import type { Message } from 'kafkajs';
import { moveHint } from '#database';
import { Fault } from '#fault';
import { commandOf, type ReadMessage } from './record-message';

export const headerCommand = 'log header';
export const endCommand = 'base end';
/** Releases before 0.2.0 wrote format 1. */
export const format = 2;

export interface LogHeader {
  readonly logId: string;
  readonly format: number;
  readonly partitions: number;
  /** Present only in the header of a base. */
  readonly base?: number;
  readonly tail?: number;
}

interface BaseEnd {
  readonly base: number;
  /** Original offset of the first record in this partition, or the start of the tail if the base has no record. */
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

/** Throws `log.foreign` if the message is not a header, or if its format is unknown. */
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
      hint: content.format === 1 ? moveHint : 'A newer release wrote it: use that release.',
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
