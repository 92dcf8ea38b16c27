import { Counter, MeterSet } from '#metrics';
import type { BatchFigures, CommandFigures } from './batch-figures';
import { CleaningMeters } from './cleaning-meters';
import { type CommandMeters, newCommandMeters } from './command-meters';
import { HttpMeters } from './http-meters';
import { currentCommands, knownCommand } from './known-command';
import { PoolMeters } from './pool-meters';
import { ProjectorMeters } from './projector-meters';
import { QueryMeters } from './query-meters';
import { StepMeters } from './step-meters';
import { StreamMeters } from './stream-meters';
import { WebhookMeters } from './webhook-meters';

export class ServiceMeters {
  readonly http = new HttpMeters();
  readonly queries = new QueryMeters();
  readonly streams = new StreamMeters();
  readonly allCommands = newCommandMeters();
  readonly commands = new MeterSet(['command', 'version'], newCommandMeters);
  readonly newCatalogs = new Counter();
  readonly duplicateCatalogs = new Counter();
  readonly steps = new StepMeters();
  readonly replayed = new MeterSet(['verb'], () => new Counter());
  readonly projectors: ProjectorMeters[] = [];
  readonly cleanings = new CleaningMeters();
  readonly webhooks = new WebhookMeters();
  readonly readPool = new PoolMeters();
  readonly writePool = new PoolMeters();

  constructor() {
    // Creates the meters now, so that a new service reports zeros instead of missing values.
    for (const labels of currentCommands) this.commands.of(...labels);
  }

  addProjector(): ProjectorMeters {
    const meters = new ProjectorMeters(this, this.projectors.length + 1);
    this.projectors.push(meters);
    return meters;
  }

  appending(command: string, version: number): void {
    this.metersFor(command, version).appending.add();
    this.allCommands.appending.add();
  }

  appended(command: string, version: number, bytes: number, ms: number): void {
    const one = this.metersFor(command, version);
    measureAppend(one, bytes, ms);
    measureAppend(this.allCommands, bytes, ms);
  }

  notAppended(command: string, version: number): void {
    this.metersFor(command, version).appending.add(-1);
    this.allCommands.appending.add(-1);
  }

  batchCommitted(batch: BatchFigures): void {
    const { ms, retries, commands } = batch;
    this.steps.committed(batch);
    const records = commands.reduce((sum, { queueMs }) => sum + queueMs.length, 0);
    const share = records === 0 ? 0 : ms / records;
    for (const figures of commands) {
      const { command, processed, rejected, ignored, superseded, unchanged, queueMs } = figures;
      for (const meters of this.metersOf(figures)) {
        meters.seen.mark(processed + rejected);
        meters.processed.mark(processed);
        meters.rejected.mark(rejected);
        meters.ignored.add(ignored);
        meters.superseded.add(superseded);
        for (const waited of queueMs) meters.queueTime.record(waited / 1_000);
        for (let one = 0; one < processed; one++) {
          meters.processingTime.record(share);
          meters.retryCounts.record(retries);
        }
      }
      if (command === 'replace catalog') {
        this.newCatalogs.add(processed - ignored - superseded - unchanged);
        this.duplicateCatalogs.add(unchanged);
      }
    }
  }

  metersOf({ command, version }: CommandFigures): readonly CommandMeters[] {
    return [this.allCommands, this.metersFor(command, version)];
  }

  private metersFor(command: string, version: number): CommandMeters {
    const known = knownCommand(command, version);
    return this.commands.of(known[0], known[1]);
  }
}

function measureAppend(meters: CommandMeters, bytes: number, ms: number): void {
  meters.appending.add(-1);
  meters.appendTime.record(ms);
  meters.size.record(bytes);
}
