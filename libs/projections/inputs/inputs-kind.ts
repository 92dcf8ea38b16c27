import type { WireCatalogInputs } from '#wire';
import type { DocumentKind } from '../document-kind';
import { foldCatalogInputs } from '../fold';
import { isOfTime } from '../stored/stored-check';

const bytesOfInput = 300;

export const inputsKind: DocumentKind<WireCatalogInputs> = {
  readStep: 'read_others',
  replaces: true,
  apply(inputs, { state, record, receivedAt, parts }) {
    if (!foldCatalogInputs(state, inputs, receivedAt)) return 'ignored';
    parts.inputs.add(state, inputs, record);
    return 'applied';
  },
  weigh: ({ inputs }) => inputs.length * bytesOfInput,
  stored: {
    mayBe: (given, { inputsAt }) => isOfTime(given, inputsAt),
    is: ({ producerTimestamp }, { inputsAt }) => producerTimestamp === inputsAt,
  },
};
