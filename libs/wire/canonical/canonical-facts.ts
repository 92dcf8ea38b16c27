import type { JsonText, WireFactset } from '../documents';
import { encodeString } from '../json/strings';
import { orNull } from './or-null';

export function canonicalFacts(facts: WireFactset): JsonText {
  const { certname, environment, packages, producer, producerTimestamp } = facts;
  const inventory =
    packages === undefined
      ? ''
      : `"package_inventory":[${packages.map((one) => `[${one.map(encodeString).join()}]`).join()}],`;
  return (
    `{"certname":${encodeString(certname)},"environment":${orNull(environment)},${inventory}"producer":${orNull(producer)},` +
    `"producer_timestamp":"${producerTimestamp}","values":${facts.values()}}`
  );
}
