import { catalogInputContents, catalogInputs } from './catalog-inputs';
import { catalogs } from './catalogs';
import { edges } from './edges';
import type { Entity } from './entity';
import { environments } from './environments';
import { events } from './events';
import { factContents } from './fact-contents';
import { factNames } from './fact-names';
import { factPaths } from './fact-paths';
import { facts } from './facts';
import { factsets } from './factsets';
import { inventory } from './inventory';
import { nodes } from './nodes';
import { packageInventory } from './package-inventory';
import { packages } from './packages';
import { producers } from './producers';
import { reports } from './reports';
import { resources } from './resources';

export const entities: readonly Entity[] = [
  nodes,
  facts,
  factsets,
  factContents,
  factPaths,
  factNames,
  inventory,
  catalogs,
  resources,
  edges,
  reports,
  events,
  environments,
  producers,
  packages,
  packageInventory,
  catalogInputs,
  catalogInputContents,
];

const byName = new Map(entities.map((entity) => [entity.name, entity]));

export function findEntity(name: string): Entity | undefined {
  return byName.get(name.replaceAll('-', '_'));
}
