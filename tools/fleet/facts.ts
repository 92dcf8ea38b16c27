import { machineState } from './fact-state';
import { flatFacts } from './flat-facts';
import { RawJson } from './json-writer';
import type { JsonWriter } from './json-writer';
import type { FleetNode } from './node';
import { packageInventory } from './package-inventory';
import type { RolePackages } from './package-inventory';
import type { RunIdentity } from './run';
import { siteFacts } from './site-facts';
import { structuredFacts } from './structured-facts';

export function factsText(
  seed: string,
  node: FleetNode,
  run: number,
  shared: RolePackages,
  identity: RunIdentity,
  writer: JsonWriter,
): string {
  const state = machineState(seed, node, run, identity.startedAt);
  return writer.value(
    {
      certname: node.certname,
      environment: node.environment,
      producer: node.producer,
      producer_timestamp: identity.factsTime,
      values: {
        ...structuredFacts(seed, node, state),
        ...flatFacts(seed, node, state),
        ...siteFacts(seed, node, state),
      },
      package_inventory: new RawJson(packageInventory(seed, node, run, shared, writer)),
    },
    0,
  );
}
