import { nodeCatalog } from './catalog';
import { factsText } from './facts';
import { JsonWriter } from './json-writer';
import type { Layout } from './json-writer';
import type { FleetSystem } from './landscape';
import type { FleetModule, FleetRole } from './modules';
import { describeNode } from './node';
import type { FleetNode } from './node';
import { rolePackages } from './package-inventory';
import type { RolePackages } from './package-inventory';
import { reportText } from './report';
import { roleCatalog, writtenModule } from './role-catalog';
import type { RoleCatalog, WrittenModule } from './role-catalog';
import { runIdentity } from './run';
import { runOutcome } from './run-outcome';
import type { RunOutcome } from './run-outcome';
import { sentDocuments } from './trouble';

export interface FleetDocument {
  readonly command: 'replace facts' | 'replace catalog' | 'store report';
  readonly version: number;
  readonly certname: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly producerTimestamp: string;
  readonly text: string;
}

export interface NodeRun {
  readonly node: FleetNode;
  readonly outcome: RunOutcome;
  readonly facts: FleetDocument;
  readonly catalog: FleetDocument;
  readonly report: FleetDocument;
  /**
   * The documents that the machine submits, in order. A machine in trouble can submit fewer than three documents, or
   * none.
   */
  readonly sent: readonly FleetDocument[];
}

/**
 * Two fleets with the same seed, layout and start time have the same documents, byte for byte, whatever the order of
 * calls. Parts that several machines share are created once and cached (about 25 MB for all roles).
 */
export class Fleet {
  private readonly writer: JsonWriter;
  private readonly modules = new Map<string, WrittenModule>();
  private readonly catalogs = new Map<string, RoleCatalog>();
  private readonly packages = new Map<string, RolePackages>();

  constructor(
    private readonly seed: string,
    layout: Layout = 'pretty',
    /** Number of the run from which some machines always fail. The default is 1. */
    private readonly failsFrom?: number,
  ) {
    this.writer = new JsonWriter(layout);
  }

  /** `index` begins at 0. */
  node(index: number): FleetNode {
    return describeNode(this.seed, index, this.failsFrom);
  }

  /**
   * `index` and `run` begin at 0. Run 0 begins at `startTime` and changes most of the machine's resources. Each machine
   * runs once in every half hour, at its own time within the half hour.
   */
  run(index: number, run: number, options: { readonly startTime: Date }): NodeRun {
    const { seed, writer } = this;
    const node = this.node(index);
    const start = options.startTime.getTime();
    const identity = runIdentity(seed, node, run, start);
    const shared = this.catalogOf(node.role, node.system);
    const catalog = nodeCatalog(seed, node, run, shared, writer);
    const outcome = runOutcome(seed, node, run, catalog.state);
    const document = (
      command: FleetDocument['command'],
      version: number,
      producerTimestamp: string,
      text: string,
    ): FleetDocument => ({
      command,
      version,
      certname: node.certname,
      producerTimestamp,
      text,
    });
    const facts = document(
      'replace facts',
      5,
      identity.factsTime,
      factsText(seed, node, run, this.packagesOf(node.role, node.system), identity, writer),
    );
    const compiled = document('replace catalog', 9, identity.catalogTime, catalog.text(identity));
    const report = document(
      'store report',
      8,
      identity.reportTime,
      reportText(seed, node, run, outcome, catalog, shared, identity, writer),
    );
    const isSent = sentDocuments(node, run);
    const sent = [
      ...(isSent.facts ? [facts] : []),
      ...(isSent.catalog ? [compiled] : []),
      ...(isSent.report ? [report] : []),
    ];
    return { node, outcome, facts, catalog: compiled, report, sent };
  }

  documentsOf(index: number, run: number): number {
    const { facts, catalog, report } = sentDocuments(this.node(index), run);
    return [facts, catalog, report].filter(Boolean).length;
  }

  private catalogOf(role: FleetRole, system: FleetSystem): RoleCatalog {
    return kept(this.catalogs, `${role.name} ${system.name}`, () =>
      roleCatalog(this.seed, role, system, (module) => this.moduleOf(module, system), this.writer),
    );
  }

  private moduleOf(module: FleetModule, system: FleetSystem): WrittenModule {
    return kept(this.modules, `${module.name} ${system.name}`, () =>
      writtenModule(this.seed, module, system, this.writer),
    );
  }

  private packagesOf(role: FleetRole, system: FleetSystem): RolePackages {
    return kept(this.packages, `${role.name} ${system.name}`, () => rolePackages(this.seed, role, system, this.writer));
  }
}

function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make();
  cache.set(key, made);
  return made;
}
