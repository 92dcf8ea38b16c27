import type { Hash } from 'node:crypto';
import { defaultLimits, type Limits } from '#limits';
import type { DocumentParts, IsoTime, JsonText, WireFact, WireFactset } from '../documents';
import { eachMember } from '../check/elements';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape, type Shape } from '../check/shape';
import { factsetHash } from '../identity/factset';
import { canonicalStyle, rewrite } from '../json/rewrite';
import { JsonScan, trait } from '../json/scan';
import { leaveOut } from '../leave-out';
import { payloadText } from '../payload-text';
import { Fact } from './fact';
import { FactSize } from './fact-size';
import { type Inventory, inventoryOf, recallInventory, rememberInventory, startHash } from './inventory';
import { checkPackages } from './packages';

type FactsField =
  | 'certname'
  | 'environment'
  | 'producer_timestamp'
  | 'producer'
  | 'values'
  | 'package_inventory'
  // Older tools and exported documents send `timestamp`. The reader ignores its value.
  | 'timestamp';

export interface FactsVersion {
  readonly version: number;
  readonly shape: Shape<FactsField>;
  readonly producer: (members: Members<FactsField>) => string | null;
}

export const factsV5: FactsVersion = {
  version: 5,
  shape: shape(
    ['certname', 'environment', 'producer_timestamp', 'producer', 'values'],
    ['package_inventory', 'timestamp'],
  ),
  producer: (members) => members.textOrNull('producer'),
};

type DropFact = ((name: string) => boolean) | undefined;

/** Facts stay text until their values are needed. Facts that `dropFact` drops do not count toward the limits. */
export function readFacts(
  text: string,
  version: FactsVersion = factsV5,
  dropFact: DropFact = undefined,
  limits: Limits = defaultLimits,
): WireFactset {
  const { members, problems } = open(text, version, limits);
  const head = readHead(members, version);
  const inventory = checkPackages(members);
  return readRest(head, members, problems, dropFact, () => inventoryOf(inventory));
}

const inventoryShape = shape(['package_inventory']);

/**
 * Reads a factset whose inventory is separate. Does not read the inventory if it equals both the last inventory of the
 * node and the inventory in the tables, whose digest is `stored`. Returns undefined if the caller must read the whole
 * factset.
 */
export function readFactsInParts(
  { rest, sections }: DocumentParts,
  version: FactsVersion,
  dropFact: DropFact,
  limits: Limits,
  stored: Buffer | undefined,
): WireFactset | undefined {
  const [section] = sections;
  if (section === undefined || sections.length > 1) return undefined;
  const { text, offsets } = leaveOut(rest, [{ start: section.at, end: section.at }]);
  const { members, problems } = open(text, version, limits);
  if (members.start('package_inventory') !== offsets[0]) return undefined;
  const head = readHead(members, version);
  const known = recallInventory(head.certname, section, limits, stored);
  if (known?.environment === head.environment) return readRest(head, members, problems, dropFact, () => known);
  if (section.bytes === undefined) return undefined;
  const apart = `{"package_inventory":${payloadText(section.bytes)}}`;
  const inventoryMembers = new Members(new JsonScan(apart, limits), inventoryShape, problems);
  if (inventoryMembers.open(0) !== apart.length) return undefined;
  const checked = checkPackages(inventoryMembers);
  return readRest(head, members, problems, dropFact, () => {
    const inventory = inventoryOf(checked);
    if (inventory) rememberInventory(head.certname, head.environment, section, inventory, limits);
    return inventory;
  });
}

function open(text: string, version: FactsVersion, limits: Limits) {
  const problems = new Problems(`replace facts ${version.version}`);
  const members = new Members(new JsonScan(text, limits), version.shape, problems);
  members.open(0);
  return { members, problems };
}

type Head = Pick<WireFactset, 'certname' | 'environment' | 'producer' | 'producerTimestamp'>;

const readHead = (members: Members<FactsField>, version: FactsVersion): Head => ({
  certname: members.text('certname'),
  environment: members.textOrNull('environment'),
  producerTimestamp: members.time('producer_timestamp'),
  producer: version.producer(members),
});

function readRest(
  head: Head,
  members: Members<FactsField>,
  problems: Problems,
  dropFact: DropFact,
  inventory: () => Inventory | undefined,
): WireFactset {
  const { facts, size, dropped } = readValues(members, dropFact);
  problems.throwIfAny();
  const values = dropped ? `{${facts.map((fact) => fact.member).join()}}` : members.raw('values');
  return new Factset({ ...head, facts, size }, inventory, values);
}

/** Computes hash and packages at first use, because most factsets repeat the previous one. */
class Factset implements WireFactset {
  readonly kind = 'facts';
  readonly certname: string;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly producerTimestamp: IsoTime;
  readonly facts: readonly WireFact[];
  readonly size: WireFactset['size'];
  private madeInventory: Inventory | null | undefined;
  private madeHash: string | undefined;

  constructor(
    read: Head & Pick<WireFactset, 'facts' | 'size'>,
    private readonly makeInventory: () => Inventory | undefined,
    private readonly sentValues: string,
  ) {
    this.certname = read.certname;
    this.environment = read.environment;
    this.producer = read.producer;
    this.producerTimestamp = read.producerTimestamp;
    this.facts = read.facts;
    this.size = read.size;
  }

  private get inventory(): Inventory | null {
    return (this.madeInventory ??= this.makeInventory() ?? null);
  }

  get packages(): WireFactset['packages'] {
    return this.inventory?.packages;
  }

  get packageCount(): number {
    return this.inventory?.count ?? 0;
  }

  get packageDigest(): Buffer | undefined {
    return this.inventory?.digest;
  }

  get hash(): string {
    return (this.madeHash ??= factsetHash(this.startHash(), this.values()));
  }

  private startHash(): Hash {
    const { certname, environment, inventory } = this;
    return inventory?.startHash(certname, environment) ?? startHash(certname, environment);
  }

  values(): JsonText {
    return rewrite(this.sentValues, 0, canonicalStyle);
  }
}

interface ReadValues {
  readonly facts: readonly Fact[];
  readonly size: FactSize;
  readonly dropped: boolean;
}

function readValues(members: Members<FactsField>, dropFact: DropFact): ReadValues {
  const size = new FactSize(members.scan.limits);
  const kind = members.kind('values');
  if (kind !== 'object') {
    if (kind !== undefined) members.wrong('values', 'an object');
    return { facts: [], size, dropped: false };
  }
  if ((members.traits('values') & trait.nulKey) !== 0)
    members.wrong('values', 'names and keys without U+0000', 'one with it');
  const { scan } = members;
  const { text } = scan;
  const facts = new Map<string, Fact>();
  let dropped = false;
  eachMember(scan, members.start('values'), (name, pos) => {
    if (dropFact?.(name) === true) {
      dropped = true;
      return scan.skip(pos);
    }
    scan.traits = 0;
    const end = size.add(scan, pos, name);
    facts.set(name, new Fact(name, text.slice(pos, end), scan.traits));
    return end;
  });
  return { facts: [...facts.values()], size, dropped };
}
