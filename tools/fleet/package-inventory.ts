import type { JsonWriter } from './json-writer';
import type { FleetSystem } from './landscape';
import { knownPackages } from './known-packages';
import { packageVersion } from './module-resources';
import { BASE_MODULES, isModulePackage } from './modules';
import type { FleetRole } from './modules';
import type { FleetNode } from './node';
import { installedVersionOf } from './package-update';
import { Random } from './random';
import { wordsIn } from './word-table';

type FleetPackage = readonly [name: string, version: string, provider: string];

export interface RolePackages {
  /** Number of packages whose versions depend on the machine. These packages are at the beginning of the list. */
  readonly known: number;
  readonly packages: readonly FleetPackage[];
  readonly texts: readonly string[];
}

const PACKAGES = 1000;

const SYLLABLES = wordsIn(`
  glib xml perl python3 ruby gtk krb5 ssl curl json yaml apr pcre zstd lz4 event uv cap seccomp audit mount blkid udev
  dbus gcc icu idn nghttp sasl ldap tiff font cairo pango proc sys net usb pci numa`);
const KINDS = wordsIn(`
  common bin data doc tools runtime plugins base core minimal dev lang compat client server util`);

export function rolePackages(seed: string, role: FleetRole, system: FleetSystem, writer: JsonWriter): RolePackages {
  const named = [...BASE_MODULES, ...role.modules].flatMap((module) => module.packages);
  const known = knownPackages(system).filter((name) => named.includes(name) || !isModulePackage(name));
  const names = new Set([...known, ...named]);
  const random = Random.of(seed, 'packages', system.name);
  const add = (source: Random): void => {
    names.add(
      `lib${source.pick(SYLLABLES)}-${source.pick(SYLLABLES)}-${source.pick(KINDS)}${source.chance(0.3) ? source.between(0, 9) : ''}`,
    );
  };
  while (names.size < PACKAGES * 0.9) add(random);
  const own = Random.of(seed, 'packages', system.name, role.name);
  while (names.size < PACKAGES - 4) add(own);
  const packages = [...names].map(
    (name) => [name, installedVersion(Random.of(seed, 'package', system.name, name), system), system.provider] as const,
  );
  return { known: known.length, packages, texts: packages.map((one) => writer.value(one, 1)) };
}

/** Number of runs between two package updates of a machine: two days. */
const UPDATE_EVERY = 96;

export function packageInventory(
  seed: string,
  node: FleetNode,
  run: number,
  shared: RolePackages,
  writer: JsonWriter,
): string {
  const random = Random.of(
    seed,
    'installed',
    node.index,
    Math.floor((run + (node.index % UPDATE_EVERY)) / UPDATE_EVERY),
  );
  const texts = shared.texts.slice();
  for (let position = 0; position < shared.known; position++) {
    const [name, , provider] = shared.packages[position] as FleetPackage;
    texts[position] = writer.value([name, installedVersionOf(seed, node, run, name), provider], 1);
  }
  for (let i = random.between(4, 24); i > 0; i--) {
    const position = random.between(shared.known, texts.length - 1);
    const [name, , provider] = shared.packages[position] as FleetPackage;
    texts[position] = writer.value([name, packageVersion(random, node.system), provider], 1);
  }
  const own = Random.of(seed, 'own-packages', node.index);
  for (let i = own.between(1, 8); i > 0; i--) {
    texts.push(
      writer.value(
        [`${own.pick(SYLLABLES)}-local-${own.pick(KINDS)}${i}`, packageVersion(own, node.system), node.system.provider],
        1,
      ),
    );
  }
  return writer.array(texts);
}

function installedVersion(random: Random, system: FleetSystem): string {
  if (random.chance(0.45)) return packageVersion(random, system);
  return `${random.between(0, 20)}.${random.between(0, 40)}-${random.between(1, 4)}`;
}
