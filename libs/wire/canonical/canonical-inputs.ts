import type { IsoTime, JsonText, WireCatalogInputs } from '../documents';
import { encodeString } from '../json/strings';

export function canonicalInputs(document: WireCatalogInputs, receivedAt: IsoTime): JsonText {
  const { catalogUuid, certname, inputs, producerTimestamp } = document;
  return (
    `{"catalog_uuid":"${catalogUuid}","certname":${encodeString(certname)},` +
    `"inputs":[${inputs.map((one) => `[${one.map(encodeString).join()}]`).join()}],` +
    `"producer_timestamp":"${producerTimestamp ?? receivedAt}"}`
  );
}
