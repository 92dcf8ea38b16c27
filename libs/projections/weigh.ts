import type { WireDocument, WireEvent } from '#wire';

/** Bytes that a value of each kind takes up with the rows that are made of it, as they were measured, rounded up. */
const bytesOf = {
  leaf: 600,
  pathElement: 30,
  pathCharacter: 8,
  package: 400,
  resource: 1_500,
  edge: 800,
  event: 1_200,
  eventCharacter: 4,
  input: 300,
} as const;

/**
 * About how many bytes of memory a document takes while its rows are made and written, beside its text. A batch ends when
 * its documents weigh enough: some say in a few bytes what takes megabytes.
 */
export function estimateMemory(document: WireDocument): number {
  switch (document.kind) {
    case 'facts': {
      const { leaves, pathElements, pathCharacters } = document.size;
      return (
        leaves * bytesOf.leaf +
        pathElements * bytesOf.pathElement +
        pathCharacters * bytesOf.pathCharacter +
        document.packageCount * bytesOf.package
      );
    }
    case 'catalog':
      return document.content === undefined
        ? 0
        : document.content.resources.length * bytesOf.resource + document.content.edges.length * bytesOf.edge;
    case 'report':
      return document.events.reduce((sum, event) => sum + weighEvent(event), 0);
    case 'inputs':
      return document.inputs.length * bytesOf.input;
    default:
      return 0;
  }
}

function weighEvent({ resourceTitle, file, containmentPath }: WireEvent): number {
  let characters = resourceTitle.length + (file?.length ?? 0);
  for (const element of containmentPath ?? []) characters += element.length + 1;
  return bytesOf.event + characters * bytesOf.eventCharacter;
}
