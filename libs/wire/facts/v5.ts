import { hash } from 'node:crypto';
import { defaultLimits, type Limits } from '#limits';
import type { IsoTime, JsonText, WireFact, WireFactset } from '../documents';
import { eachMember } from '../check/elements';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape, type Shape } from '../check/shape';
import { factsetHash, inventoryText } from '../identity/factset';
import { canonicalStyle, rewrite } from '../json/rewrite';
import { JsonScan, trait } from '../json/scan';
import { Fact } from './fact';
import { FactSize } from './fact-size';
import { checkPackages, type Inventory, readPackages } from './packages';

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

/**
 * Reads and checks the text of a factset. Facts stay text until their values are needed. Facts that `dropFact` drops do
 * not count toward the limits.
 */
export function readFacts(
  text: string,
  version: FactsVersion = factsV5,
  dropFact: (name: string) => boolean = () => false,
  limits: Limits = defaultLimits,
): WireFactset {
  const scan = new JsonScan(text, limits);
  const problems = new Problems(`replace facts ${version.version}`);
  const members = new Members(scan, version.shape, problems);
  members.open(0);
  const certname = members.text('certname');
  const environment = members.textOrNull('environment');
  const producerTimestamp = members.time('producer_timestamp');
  const producer = version.producer(members);
  const inventory = checkPackages(members);
  const { facts, size, dropped } = readValues(members, dropFact);
  problems.throwIfAny();
  const values = dropped ? `{${facts.map((fact) => fact.member).join()}}` : members.raw('values');
  return new Factset({ certname, environment, producer, producerTimestamp, facts, size }, inventory, values);
}

type Read = Pick<WireFactset, 'certname' | 'environment' | 'producer' | 'producerTimestamp' | 'facts' | 'size'>;

/** A checked factset. Computes hash and packages at first use, because most factsets repeat the previous one. */
class Factset implements WireFactset {
  readonly kind = 'facts';
  readonly certname: string;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly producerTimestamp: IsoTime;
  readonly facts: readonly WireFact[];
  readonly size: WireFactset['size'];
  private madePackages: WireFactset['packages'];
  private madeHash: string | undefined;
  private madePackagesText: string | undefined;

  constructor(
    read: Read,
    private readonly inventory: Inventory | undefined,
    private readonly sentValues: string,
  ) {
    this.certname = read.certname;
    this.environment = read.environment;
    this.producer = read.producer;
    this.producerTimestamp = read.producerTimestamp;
    this.facts = read.facts;
    this.size = read.size;
  }

  get packages(): WireFactset['packages'] {
    return this.inventory === undefined ? undefined : (this.madePackages ??= readPackages(this.inventory));
  }

  get packageCount(): number {
    return this.packages?.length ?? 0;
  }

  get packageDigest(): Buffer | undefined {
    return this.packageCount === 0 ? undefined : hash('sha1', this.packagesText, 'buffer');
  }

  get hash(): string {
    return (this.madeHash ??= this.makeHash());
  }

  private makeHash(): string {
    const { certname, environment, packages = [] } = this;
    const inventory = packages.length === 0 ? undefined : inventoryText(packages, this.packagesText);
    return factsetHash(certname, environment, inventory, this.values());
  }

  private get packagesText(): string {
    return (this.madePackagesText ??= JSON.stringify(this.packages));
  }

  values(): JsonText {
    return rewrite(this.sentValues, 0, canonicalStyle);
  }
}

interface ReadValues {
  readonly facts: readonly Fact[];
  readonly size: FactSize;
  /** Whether `dropFact` has dropped a fact. */
  readonly dropped: boolean;
}

function readValues(members: Members<FactsField>, dropFact: (name: string) => boolean): ReadValues {
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
    if (dropFact(name)) {
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
