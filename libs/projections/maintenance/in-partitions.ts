import { nameInPartition, partitionOf, type NewRecord } from '#log';
import { isPartitionCommand, lifecycleCommands, readCommand, writeAgeLimits, type PartitionOfNodes } from '#wire';

/**
 * Converts a record from a log with `from` partitions to records for a log with `to` partitions. A record about the
 * nodes of a partition becomes one record for each new partition that can contain such a node.
 */
export function inPartitions(record: NewRecord, from: number, to: number): NewRecord[] {
  if (from === to || !isPartitionCommand(record.command)) return [record];
  return record.command === lifecycleCommands.applyAgeLimits.command ? ageLimits(record, to) : restorations(record, to);
}

function ageLimits(record: NewRecord, to: number): NewRecord[] {
  const document = readCommand(record, record.payload);
  if (document.kind !== 'age limits') return [record];
  return Array.from({ length: to }, (_, partition) => {
    const certname = nameInPartition(partition, to);
    const nodes = [...document.nodes, { partition, partitions: to }];
    return { ...record, certname, payload: Buffer.from(writeAgeLimits({ ...document, certname, nodes })) };
  });
}

function restorations(record: NewRecord, to: number): NewRecord[] {
  const { nodes, ...events } = JSON.parse(record.payload.toString()) as Restoration;
  return Array.from({ length: to }, (_, partition) => ({
    partition,
    some: nodes.filter((node) => partitionOf(node.certname, to) === partition),
  }))
    .filter(({ some }) => some.length > 0 || events.events_of !== undefined)
    .map(({ partition, some }) => {
      const certname = nameInPartition(partition, to);
      const parts = events.events_of && { events_of: [...events.events_of, { partition, partitions: to }] };
      return {
        ...record,
        certname,
        payload: Buffer.from(JSON.stringify({ ...events, ...parts, certname, nodes: some })),
      };
    });
}

interface Restoration {
  readonly nodes: readonly { readonly certname: string }[];
  readonly events_before?: string;
  readonly events_of?: readonly PartitionOfNodes[];
}
